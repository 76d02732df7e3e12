import type { Config } from '../config/config.ts'

interface BannerInput {
  config: Config
  /** Null when this process serves no requests. */
  address: string | null
  /** Null once an owner exists. */
  setupToken: string | null
  /** Where the bytes of files are. */
  objects: string
}

/** What a person needs to know who has just started Atrium. Secrets are never in it. */
export function startupBanner({ config, address, setupToken, objects }: BannerInput): string {
  const dashboard = config.publicUrl ?? address
  const lines: [string, string][] = []
  if (address) lines.push(['Dashboard', dashboard!])
  if (address && config.publicUrl) lines.push(['Listening', address])
  if (!address) lines.push(['Worker', 'runs jobs, serves no requests'])
  if (address && setupToken)
    lines.push(['Set up', `${dashboard}/setup#${setupToken}`], ['', 'opens once, within 24 hours'])
  if (!setupToken) lines.push(['Owner', 'exists: sign in on the dashboard'])
  lines.push(['Data', config.dataFolder])
  lines.push([
    'Database',
    config.databaseUrl ? databaseOf(config.databaseUrl) : 'embedded PostgreSQL, in the data folder',
  ])
  lines.push(['Files', objects])
  lines.push(['Mail', mailOf(config)])
  lines.push(['Models', config.modelProviders.map(({ name }) => name).join(', ') || 'no provider configured'])
  for (const name of config.unused) lines.push(['Note', `${name} is set, but this version does not use it`])
  const width = Math.max(...lines.map(([label]) => label.length))
  const rows = lines.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`)
  return `\n  Atrium is ready\n\n${rows.join('\n')}\n\n`
}

const databaseOf = (url: string) => {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

const mailOf = ({ smtpUrl, dataFolder }: Config) =>
  smtpUrl
    ? `sent through ${new URL(smtpUrl).host}`
    : `not sent: written to ${dataFolder}/outbox (set ATRIUM_SMTP_URL to send)`
