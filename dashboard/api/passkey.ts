import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { localStore } from '../state/local-storage.ts'

type Challenge = OutputOf<Contract['passkeys']['signInOptions']>
type Library = typeof import('@simplewebauthn/browser')

const KEY = 'atrium.passkey'

/** Few people need it on a visit, so it loads when somebody does. */
const library = () => import('@simplewebauthn/browser')

export const passkeysSupported = () => typeof PublicKeyCredential === 'function'

/** Whether a passkey was used or made in this browser, so that offering it unasked is of use. */
export const hasUsedPasskey = () => passkeysSupported() && localStore.read(KEY) === 'used'

/** Lets the person's authenticator answer; `autofill` waits until they pick the passkey in the email field. */
export async function signWithPasskey({ ticket, options }: Challenge, autofill = false) {
  const { startAuthentication } = await library()
  const optionsJSON = options as unknown as Parameters<Library['startAuthentication']>[0]['optionsJSON']
  const credential = await startAuthentication({ optionsJSON, useBrowserAutofill: autofill })
  localStore.write(KEY, 'used')
  return { ticket, credential: { ...credential } }
}

export async function createPasskey({ ticket, options }: Challenge) {
  const { startRegistration } = await library()
  const optionsJSON = options as unknown as Parameters<Library['startRegistration']>[0]['optionsJSON']
  const credential = await startRegistration({ optionsJSON })
  localStore.write(KEY, 'used')
  return { ticket, credential: { ...credential } }
}

/** What the browser says when it was not the server who refused; undefined for anything else. */
export function passkeyErrorMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  switch (error.name) {
    case 'NotAllowedError':
    case 'AbortError':
      return 'No passkey was used. Try again, or choose another way.'
    case 'InvalidStateError':
      return 'This device already holds a passkey for your account.'
    case 'SecurityError':
      return 'Passkeys need https, or localhost. Open Atrium at its own address and try again.'
    case 'NotSupportedError':
      return 'This device cannot make the kind of passkey that Atrium accepts.'
    default:
      return undefined
  }
}
