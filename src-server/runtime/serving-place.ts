/** This panel among those on one database. */
export interface ServingPlace {
  /** Id of its server; null = the database is a file that no other panel shares. */
  serverId: string | null;
  /** Whether another panel is active. */
  isStandby: boolean;
}

/** A panel that has its database to itself. */
export const ALONE: ServingPlace = { serverId: null, isStandby: false };

/**
 * Whether this panel's core runs an inbound that is not on a node. @param servedBy the server it names; null =
 * whichever panel is active
 */
export const runsHere = ({ serverId, isStandby }: ServingPlace, servedBy: string | null): boolean =>
  servedBy === null ? !isStandby : servedBy === serverId;
