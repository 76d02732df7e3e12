/** A URL, or the embedded server's socket address. */
export type Connection =
  | string
  | { host: string; port: number; user: string; password: string; database: string }

interface TlsMode {
  /** The certificate must be trusted and match the host. */
  isVerified: boolean
  /** Refuses a server without TLS. */
  isRequired: boolean
}

interface Address {
  /** A host name, or a Unix socket's folder. */
  host?: string
  port?: number
  user?: string
  password?: string
  database?: string
  tls: TlsMode | null
}

/** The environment (`PGUSER` and others) supplies parts a URL lacks. */
export function parseConnection(connection: Connection): Address {
  if (typeof connection !== 'string') return { ...connection, tls: null }
  const { searchParams, hostname, port, username, password, pathname } = new URL(connection)
  const host = searchParams.get('host') ?? decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1')
  const portText = port || searchParams.get('port')
  return {
    ...(host ? { host } : {}),
    ...(portText ? { port: Number(portText) } : {}),
    ...(username ? { user: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(pathname.length > 1 ? { database: decodeURIComponent(pathname.slice(1)) } : {}),
    tls: tlsMode(searchParams),
  }
}

/** libpq's mode names. `no-verify` comes from other drivers. */
function tlsMode(parameters: URLSearchParams): TlsMode | null {
  const mode = parameters.get('sslmode') ?? parameters.get('ssl')
  if (parameters.get('sslrootcert') === 'system') return { isVerified: true, isRequired: true }
  if (mode === null || mode === 'disable' || mode === 'false') return null
  if (mode === 'prefer' || mode === 'allow') return { isVerified: false, isRequired: false }
  return { isVerified: mode !== 'require' && mode !== 'no-verify', isRequired: true }
}
