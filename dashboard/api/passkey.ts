import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { t } from '../../contract/text.ts'
import { localStore } from '../state/store.ts'

type Challenge = OutputOf<Contract['passkeys']['signInOptions']>
type Library = typeof import('@simplewebauthn/browser')

const KEY = 'atrium.passkey'

/** Loaded on demand: most visits don't use a passkey. */
const loadLibrary = () => import('@simplewebauthn/browser')

/** Null if passkeys can be used. */
export function passkeyObstacle(): string | null {
  const { hostname, protocol, port } = location
  if (LOOPBACK.test(hostname)) {
    return t`Passkeys don’t work at an IP address. Open ${protocol}//localhost${port && `:${port}`} instead.`
  }
  if (IP_ADDRESS.test(hostname))
    return t`Passkeys don’t work at an IP address. Open Atrium at its host name instead.`
  if (!isSecureContext) return t`Passkeys require https or localhost.`
  return typeof PublicKeyCredential === 'function' ? null : t`This browser doesn’t support passkeys.`
}

const LOOPBACK = /^127\.|^\[::1\]$/
const IP_ADDRESS = /^[\d.]+$|^\[/

export const arePasskeysSupported = () => passkeyObstacle() === null

/** Used or created, so autofill is worth starting. */
export const hasUsedPasskey = () => arePasskeysSupported() && localStore.read(KEY) === 'used'

/** With `autofill`, waits until the user selects the passkey in the email field. */
export async function signWithPasskey({ ticket, options }: Challenge, autofill = false) {
  const { startAuthentication } = await loadLibrary()
  const optionsJSON = options as unknown as Parameters<Library['startAuthentication']>[0]['optionsJSON']
  const credential = await startAuthentication({ optionsJSON, useBrowserAutofill: autofill })
  localStore.write(KEY, 'used')
  return { ticket, credential: { ...credential } }
}

export async function createPasskey({ ticket, options }: Challenge) {
  const { startRegistration } = await loadLibrary()
  const optionsJSON = options as unknown as Parameters<Library['startRegistration']>[0]['optionsJSON']
  const credential = await startRegistration({ optionsJSON })
  localStore.write(KEY, 'used')
  return { ticket, credential: { ...credential } }
}

/** Undefined unless the error comes from the browser's WebAuthn API. */
export function passkeyErrorMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  switch (error.name) {
    case 'NotAllowedError':
    case 'AbortError':
      return t`No passkey was used. Try again or use another method.`
    case 'InvalidStateError':
      return t`This device already has a passkey for your account.`
    case 'SecurityError':
      return t`Passkeys require https or localhost. Open Atrium at its public URL and try again.`
    case 'NotSupportedError':
      return t`This device doesn’t support the required passkey type.`
    default:
      return undefined
  }
}
