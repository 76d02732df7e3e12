import type { Config } from '../config/config.ts'
import { isBuiltIn } from '../features/connections/connectors/connectors.ts'
import { browserUrl } from './browser-url.ts'

interface BannerInput {
  config: Config
  /** Null if this process serves no requests. */
  url: string | null
  /** `/readyz` for a process that serves no requests. */
  healthUrl?: string | null
  /** Null once an owner exists. */
  setupToken: string | null
  objects: string
  problems?: string | null
}

const NO_MODELS =
  'none configured: set ATRIUM_ANTHROPIC_API_KEY or another key, or add one in Settings, Models'

/** Must contain no secret except the setup token. */
export function startupBanner({
  config,
  url,
  healthUrl,
  setupToken,
  objects,
  problems,
}: BannerInput): string {
  const dashboard = config.publicUrl ?? (url && browserUrl(url))
  const lines: [string, string][] = []
  if (url) lines.push(['Dashboard', dashboard!])
  if (url && config.publicUrl) lines.push(['Listening', url])
  if (config.processes > 1) lines.push(['Processes', String(config.processes)])
  if (!url) lines.push(['Role', 'worker: runs jobs, serves no requests'])
  if (healthUrl) lines.push(['Health', `${healthUrl}/readyz`])
  if (url && setupToken)
    lines.push(['Set up', `${dashboard}/setup#${setupToken}`], ['', 'valid once, for 24 hours'])
  if (!setupToken) lines.push(['Owner', 'exists'])
  lines.push(['Data', config.dataFolder])
  lines.push([
    'Database',
    config.databaseUrl ? databaseName(config.databaseUrl) : 'embedded PostgreSQL in the data folder',
  ])
  lines.push(['Files', objects])
  lines.push(['Email', emailStatus(config)])
  lines.push(['Models', config.models.providers.map(({ name }) => name).join(', ') || NO_MODELS])
  if (config.smtpUrl && !config.publicUrl)
    lines.push(['Warning', 'links in emails lead to the local URL: set ATRIUM_PUBLIC_URL'])
  if (config.signup === 'open' && !config.smtpUrl)
    lines.push(['Warning', 'ATRIUM_SIGNUP=open needs email to confirm accounts: set ATRIUM_SMTP_URL'])
  if (problems) lines.push(['Checklist', `${problems}: run "atrium-server check"`])
  for (const name of unknownVariables(config)) lines.push(['Warning', `unknown variable ${name}`])
  const width = Math.max(...lines.map(([label]) => label.length))
  const rows = lines.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`)
  return `\n  Atrium is ready\n\n${rows.join('\n')}\n\n`
}

const unknownVariables = ({ unused, connectors }: Config) => [
  ...unused,
  ...Object.entries(connectors).flatMap(([slug, { variables }]) => (isBuiltIn(slug) ? [] : variables)),
]

const databaseName = (url: string) => {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

const emailStatus = ({ smtpUrl, dataFolder }: Config) =>
  smtpUrl
    ? `via ${new URL(smtpUrl).host}`
    : `not configured: written to ${dataFolder}/outbox; set ATRIUM_SMTP_URL to send`
