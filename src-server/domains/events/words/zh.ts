import type { LanguageWords } from './en.ts';

export const zh: LanguageWords = {
  kinds: {
    'core.crash': { title: '代理核心故障', lines: ['错误：{error}'], many: '代理核心崩溃：{count} 次' },
    'cpu.high': { title: '处理器占用 {percent}', lines: [], many: '处理器繁忙' },
    'login.attempt': {
      title: '一次登录被拒绝',
      lines: ['用户名：{username}', '地址：{address}', '原因：{reason}'],
      many: '被拒绝的登录：{count} 次',
    },
    'node.down': { title: '节点 {name} 无法连接', lines: ['错误：{error}'], many: '无法连接的节点：{count} 个' },
    'node.up': { title: '节点 {name} 恢复连接', lines: ['延迟：{latencyMs} 毫秒'], many: '恢复连接的节点：{count} 个' },
    'outbound.down': { title: '出站 {tag} 没有响应', lines: ['错误：{error}'], many: '没有响应的出站：{count} 个' },
    'outbound.up': {
      title: '出站 {tag} 恢复响应',
      lines: ['延迟：{delayMs} 毫秒'],
      many: '恢复响应的出站：{count} 个',
    },
    'client.expiring': {
      title: '{email} 即将到期',
      lines: ['有效期至 {expiresAtMs}'],
      many: '即将到期的客户端：{count} 个',
    },
    'client.quota': {
      title: '{email} 已用流量 {percent}',
      lines: ['已用：{usedBytes} / {quotaBytes}'],
      many: '流量将尽的客户端：{count} 个',
    },
    'client.depleted': {
      title: '{email} 流量已用尽',
      lines: ['流量配额：{quotaBytes}'],
      many: '流量用尽的客户端：{count} 个',
    },
    'client.expired': {
      title: '{email} 已到期',
      lines: ['有效期至 {expiresAtMs}'],
      many: '已到期的客户端：{count} 个',
    },
    'client.addresses': {
      title: '{email} 使用的地址超过限制',
      lines: ['允许：{limit}', '已拦截：{address}'],
      many: '地址超过限制的客户端：{count} 个',
    },
    'client.link': { title: '正在向 {email} 发送订阅链接', lines: [], many: '正在发送链接的客户端：{count} 个' },
    'traffic.quarantined': {
      title: '一次流量读数过大，不可信',
      lines: ['对象：{subject}', '上传：{upBytes}', '下载：{downBytes}'],
      many: '过大、不可信的流量读数：{count} 次',
    },
    'directory.failed': { title: '无法读取 LDAP 目录', lines: ['错误：{error}'], many: '失败的 LDAP 同步：{count} 次' },
    'directory.held': {
      title: 'LDAP 同步正在等待您确认',
      lines: ['将停用：{disable}', '将移出入站：{detach}', '将新建：{create}'],
      many: '等待确认的 LDAP 同步：{count} 次',
    },
    'directory.resumed': { title: 'LDAP 目录已恢复读取', lines: [], many: '已恢复的 LDAP 同步：{count} 次' },
    'backup.failed': { title: '备份失败', lines: ['错误：{error}'], many: '失败的备份：{count} 次' },
    'certificate.failed': {
      title: '证书 {name} 续期失败',
      lines: ['错误：{error}', '有效期至 {expiresAtMs}', '下次尝试：{nextTryAtMs}'],
      many: '续期失败的证书：{count} 个',
    },
    'certificate.expiring': {
      title: '证书即将到期：{name}',
      lines: ['有效期至 {expiresAtMs}', '剩余天数：{days}'],
      many: '即将到期的证书：{count} 个',
    },
    'update.core': {
      title: '代理核心有新版本 {version}',
      lines: ['已安装：{installed}'],
      many: '代理核心的新版本：{count} 个',
    },
    'update.panel': {
      title: '面板有新版本 {version}',
      lines: ['已安装：{installed}'],
      many: '面板的新版本：{count} 个',
    },
  },
  loginDone: { title: '{username} 已登录', lines: ['地址：{address}'], many: '登录：{count} 次' },
  andMore: '另有 {count} 个',
  testTitle: '测试消息',
  testBody: '面板的消息会发送到这里。',
  clientFooter: '您收到此消息，是因为您的接入以此邮箱地址命名。',
  linkTitle: '您的订阅链接',
  linkHint: '请在应用或浏览器中打开，并妥善保管：持有该链接的人会使用您的流量。',
  stopMails: '不再接收此类邮件：',
};
