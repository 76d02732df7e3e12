import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { PasskeyResponse } from '../../../../../contract/accounts/webauthn.ts'
import type { Origin } from '../../../../context.ts'
import type { Credential } from './passkey-queries.ts'

/** Lifetime of a challenge and its one-time token. */
export const CHALLENGE_SECONDS = 300
/** EdDSA, ES256 and RS256 by COSE number: every authenticator supports one. */
const ALGORITHMS = [-8, -7, -257]

/** Imported on first use: the import takes a fifth of the startup time. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

type CredentialJson = (typeof PasskeyResponse)['_output']['credential']

/** The relying party id is the public URL's host name: a passkey works only on that host. */
const rpIdOf = ({ baseUrl }: Origin) => new URL(baseUrl).hostname

/** Requires a discoverable credential and user verification: a passkey is a user name and two factors in one. */
export const registrationOptions = async (
  origin: Origin,
  user: { userId: string; name: string; email: string },
  registeredCredentials: Credential[],
) =>
  (await library()).generateRegistrationOptions({
    rpName: 'Atrium',
    rpID: rpIdOf(origin),
    userID: new Uint8Array(Buffer.from(user.userId)),
    userName: user.email,
    userDisplayName: user.name,
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: registeredCredentials.map(descriptorOf),
  })

/** Without listed credentials, the authenticator offers those it has for this host. */
export const authenticationOptions = async (origin: Origin, registeredCredentials: Credential[] = []) =>
  (await library()).generateAuthenticationOptions({
    rpID: rpIdOf(origin),
    timeout: CHALLENGE_SECONDS * 1000,
    userVerification: 'required',
    allowCredentials: registeredCredentials.map(descriptorOf),
  })

const descriptorOf = ({ credentialId, transports }: Credential) => ({
  id: credentialId,
  transports: transports as AuthenticatorTransport[],
})

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** Null if the response is invalid. */
export async function verifyRegistration(origin: Origin, challenge: string, credential: CredentialJson) {
  const response = credential as unknown as RegistrationResponseJSON
  try {
    await refuseCertificates(response)
    const { verifyRegistrationResponse } = await library()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin.baseUrl,
      expectedRPID: rpIdOf(origin),
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return null
    const { credentialBackedUp: synced } = registrationInfo
    const { id: credentialId, publicKey, counter, transports } = registrationInfo.credential
    return {
      credentialId,
      publicKey: Buffer.from(publicKey),
      counter,
      transports: TRANSPORTS.filter((name) => transports?.includes(name as AuthenticatorTransport)),
      synced,
    }
  } catch {
    return null
  }
}

/** Certificates would make the library fetch revocation lists from URLs they name, so no attestation is requested. */
async function refuseCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await helpers()
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const isPlain = attestation.get('fmt') === 'none'
  const isSelfSigned =
    attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (!isPlain && !isSelfSigned) throw new Error('Attestation was not requested')
}

/** Returns the credential's state after this use, or null if the response is invalid. */
export async function verifyAuthentication(
  origin: Origin,
  challenge: string,
  credential: CredentialJson,
  { credentialId, publicKey, counter }: Credential,
) {
  const response = credential as unknown as AuthenticationResponseJSON
  try {
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin.baseUrl,
      expectedRPID: rpIdOf(origin),
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
    })
    if (!verified) return null
    const { userHandle } = response.response
    return {
      /** Authenticators may omit it when the request lists credentials. */
      userId: userHandle ? Buffer.from(userHandle, 'base64url').toString() : null,
      counter: authenticationInfo.newCounter,
      synced: authenticationInfo.credentialBackedUp,
    }
  } catch {
    return null
  }
}
