import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { PasskeyResponse } from '../../../../contract/accounts/webauthn.ts'
import type { Origin } from '../../../context.ts'
import type { Credential } from './passkey-queries.ts'

/** How long somebody may look for their key; as long as the ticket lasts. */
export const CHALLENGE_SECONDS = 300
/** EdDSA, ES256 and RS256, by their COSE numbers: every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded with the first passkey: loading it takes a fifth of a whole start. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

type CredentialJson = (typeof PasskeyResponse)['_output']['credential']

/** To authenticators we are known by the name that people type: a passkey made here works nowhere else. */
const rpIdOf = ({ baseUrl }: Origin) => new URL(baseUrl).hostname

/** Discoverable and opened by its owner only, so that it is a name and two factors in one. */
export const registrationOptions = async (
  origin: Origin,
  holder: { userId: string; name: string; email: string },
  known: Credential[],
) =>
  (await library()).generateRegistrationOptions({
    rpName: 'Atrium',
    rpID: rpIdOf(origin),
    userID: new Uint8Array(Buffer.from(holder.userId)),
    userName: holder.email,
    userDisplayName: holder.name,
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(descriptorOf),
  })

/** Without credentials named, the authenticator offers those it has for this site. */
export const authenticationOptions = async (origin: Origin, known: Credential[] = []) =>
  (await library()).generateAuthenticationOptions({
    rpID: rpIdOf(origin),
    timeout: CHALLENGE_SECONDS * 1000,
    userVerification: 'required',
    allowCredentials: known.map(descriptorOf),
  })

const descriptorOf = ({ credentialId, transports }: Credential) => ({
  id: credentialId,
  transports: transports as AuthenticatorTransport[],
})

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** The new credential, or null if the answer does not hold. */
export async function verifyRegistration(origin: Origin, challenge: string, given: CredentialJson) {
  const response = given as unknown as RegistrationResponseJSON
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
    const { credential, credentialBackedUp: synced } = registrationInfo
    const { id: credentialId, publicKey, counter, transports } = credential
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

/** We ask for no attestation: certificates would make the library look for their revocation at addresses they name. */
async function refuseCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await helpers()
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const isPlain = attestation.get('fmt') === 'none'
  const isSelfSigned =
    attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (!isPlain && !isSelfSigned) throw new Error('Attestation was not asked for')
}

/** What the authenticator says of the credential now, or null if the answer does not hold. */
export async function verifyAuthentication(
  origin: Origin,
  challenge: string,
  given: CredentialJson,
  { credentialId, publicKey, counter }: Credential,
) {
  const response = given as unknown as AuthenticationResponseJSON
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
      /** Authenticators may leave it out when asked for a credential by name. */
      userId: userHandle ? Buffer.from(userHandle, 'base64url').toString() : null,
      counter: authenticationInfo.newCounter,
      synced: authenticationInfo.credentialBackedUp,
    }
  } catch {
    return null
  }
}
