import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect } from 'node:tls'
import { correctSocket } from './corrected-socket.ts'

export interface TlsMode {
  /** Whether the certificate must be trusted and belong to the host. */
  isVerified: boolean
  /** Whether a server without TLS is refused. */
  isRequired: boolean
}

const TIMEOUT_MS = 10_000
/** The request for TLS that precedes a session, and the response of a server that supports it. */
const REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const ACCEPTED = 'S'

/** The mode of a URL, as libpq names it; `no-verify` is that of other drivers. */
export function tlsModeOf(parameters: URLSearchParams): TlsMode | null {
  const mode = parameters.get('sslmode') ?? parameters.get('ssl')
  if (parameters.get('sslrootcert') === 'system') return { isVerified: true, isRequired: true }
  if (mode === null || mode === 'disable' || mode === 'false') return null
  if (mode === 'prefer' || mode === 'allow') return { isVerified: false, isRequired: false }
  return { isVerified: mode !== 'require' && mode !== 'no-verify', isRequired: true }
}

/** The driver can open TLS itself, but does not apply `correctSocket` to its socket. */
export async function openTlsSocket(
  plain: Socket,
  host: string,
  { isVerified, isRequired }: TlsMode,
): Promise<Duplex> {
  plain.setTimeout(TIMEOUT_MS, () =>
    plain.destroy(connectionError('CONNECT_TIMEOUT', 'The server did not answer')),
  )
  plain.once('end', () =>
    plain.destroy(connectionError('CONNECTION_CLOSED', 'The server closed the connection')),
  )
  try {
    plain.write(REQUEST)
    const [answer] = (await once(plain, 'data')) as [Buffer]
    if (answer.toString() !== ACCEPTED) {
      if (isRequired) throw connectionError('CONNECTION_CLOSED', 'The server does not support TLS')
      plain.setTimeout(0)
      return correctSocket(plain)
    }
    const servername = isIP(host) ? undefined : host
    const secure = connect({ socket: plain, servername, rejectUnauthorized: isVerified, host })
    await once(secure, 'secureConnect')
    plain.setTimeout(0)
    return correctSocket(secure)
  } catch (error) {
    plain.on('error', () => {}).destroy()
    return createFailingSocket(error as Error)
  }
}

const connectionError = (code: string, message: string) => Object.assign(new Error(message), { code })

/** The driver never reopens a connection whose socket could not be created, but does reopen one whose socket fails. */
const createFailingSocket = (error: Error): Duplex =>
  new Duplex({ read() {}, write: (_chunk, _encoding, done) => done(error) })
