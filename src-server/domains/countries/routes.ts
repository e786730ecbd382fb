import { bind, type BindContext } from '../../http/bind.ts';
import { countriesOf } from './contract.ts';
import type { CountriesService } from './service.ts';

export function countriesRoutes(ctx: BindContext, countries: CountriesService): void {
  bind(ctx, countriesOf, ({ body }) => countries.of(body.addresses));
}
