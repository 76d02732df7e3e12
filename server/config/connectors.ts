import { StartupError } from '../errors.ts'
import { optionalBaseUrl } from './fields.ts'

interface ConnectorSettings {
  /** This server's OAuth client at the provider. */
  client: { id: string; secret: string } | null
  /** Replaces scheme, host and port in the definition's URLs. */
  url: string | null
  isDisabled: boolean
  /** For a warning if no connector has this slug. */
  variables: string[]
}

/** By slug. Connectors without a variable are absent. */
export type ConnectorsConfig = Readonly<Record<string, ConnectorSettings>>

const VARIABLE = /^ATRIUM_CONNECTOR_([A-Z0-9][A-Z0-9_]*?)_(?:CLIENT_ID|CLIENT_SECRET|URL|DISABLED)$/

export const isConnectorVariable = (variable: string) => VARIABLE.test(variable)

/** `ATRIUM_CONNECTOR_GITHUB_CLIENT_ID` and so on. */
export function readConnectorsConfig(variables: Record<string, string>): ConnectorsConfig {
  const names = Object.keys(variables).flatMap((variable) => VARIABLE.exec(variable)?.slice(1, 2) ?? [])
  return Object.freeze(
    Object.fromEntries(
      [...new Set(names)].map((name) => [
        name.toLowerCase().replaceAll('_', '-'),
        settingsOf(`ATRIUM_CONNECTOR_${name}`, variables),
      ]),
    ),
  )
}

function settingsOf(prefix: string, variables: Record<string, string>): ConnectorSettings {
  const names = {
    id: `${prefix}_CLIENT_ID`,
    secret: `${prefix}_CLIENT_SECRET`,
    url: `${prefix}_URL`,
    disabled: `${prefix}_DISABLED`,
  }
  const [id, secret] = [variables[names.id], variables[names.secret]]
  if (!id !== !secret) {
    const missing = id ? names.secret : names.id
    throw new StartupError(`${missing} is missing: ${names.id} and ${names.secret} must be set together`)
  }
  const url = optionalBaseUrl.safeParse(variables[names.url])
  if (!url.success) throw new StartupError(`${names.url} ${url.error.issues[0]!.message}`)
  const disabled = variables[names.disabled] ?? 'false'
  if (!['true', 'false'].includes(disabled)) throw new StartupError(`${names.disabled} must be true or false`)
  return {
    client: id && secret ? { id, secret } : null,
    url: url.data ?? null,
    isDisabled: disabled === 'true',
    variables: Object.values(names).filter((name) => variables[name]),
  }
}
