import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

interface CeremonyOptions {
  challenge: string
  rp?: { id?: string }
  rpId?: string
  user?: { id: string }
}

/** By an attacker or faulty authenticator. */
interface Tampering {
  origin?: string
  rpId?: string
  challenge?: string
  verified?: boolean
  present?: boolean
  counter?: number
  userHandle?: string | null
  id?: string
  type?: string
  /** The server doesn't request attestation. */
  attestation?: { fmt: string; attStmt: Map<string, unknown> }
  signWith?: KeyObject
}

const FLAGS = { present: 0x01, verified: 0x04, eligible: 0x08, synced: 0x10, attested: 0x40 }
const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** Has one ES256 key, used by a browser at `origin`. */
export function createAuthenticator(
  origin: string,
  options: { counts?: boolean; synced?: boolean; id?: string } = {},
) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = options.id ? Buffer.from(options.id, 'base64url') : randomBytes(32)
  const id = base64url(credentialId)
  let counter = 0
  let userHandle: string | null = null

  const clientData = (ceremony: CeremonyOptions, type: string, tampering: Tampering) =>
    JSON.stringify({
      type: tampering.type ?? type,
      challenge: tampering.challenge ?? ceremony.challenge,
      origin: tampering.origin ?? origin,
      crossOrigin: false,
    })

  const authenticatorData = (ceremony: CeremonyOptions, tampering: Tampering, attested?: Uint8Array) => {
    if (options.counts ?? true) counter++
    const rpId = tampering.rpId ?? ceremony.rp?.id ?? ceremony.rpId ?? new URL(origin).hostname
    const flags =
      ((tampering.present ?? true) ? FLAGS.present : 0) |
      ((tampering.verified ?? true) ? FLAGS.verified : 0) |
      (options.synced ? FLAGS.eligible | FLAGS.synced : 0) |
      (attested ? FLAGS.attested : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags, 0)
    head.writeUInt32BE(tampering.counter ?? counter, 1)
    return Buffer.concat([sha256(rpId), head, attested ?? Buffer.alloc(0)])
  }

  return {
    id,
    create(raw: object, tampering: Tampering = {}) {
      const ceremony = raw as CeremonyOptions
      userHandle = ceremony.user?.id ?? null
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseOf(publicKey)])
      const { fmt, attStmt } = tampering.attestation ?? { fmt: 'none', attStmt: new Map() }
      const attestation = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', new Uint8Array(authenticatorData(ceremony, tampering, attested))],
      ])
      return {
        id: tampering.id ?? id,
        rawId: tampering.id ?? id,
        type: 'public-key' as const,
        response: {
          clientDataJSON: base64url(clientData(ceremony, 'webauthn.create', tampering)),
          attestationObject: base64url(isoCBOR.encode(attestation as never)),
          transports: ['internal', 'hybrid', 'telepathy'],
        },
        clientExtensionResults: {},
      }
    },
    get(raw: object, tampering: Tampering = {}) {
      const ceremony = raw as CeremonyOptions
      const client = clientData(ceremony, 'webauthn.get', tampering)
      const data = authenticatorData(ceremony, tampering)
      const signedData = Buffer.concat([data, sha256(client)])
      return {
        id: tampering.id ?? id,
        rawId: tampering.id ?? id,
        type: 'public-key' as const,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', signedData, tampering.signWith ?? privateKey)),
          userHandle: tampering.userHandle === undefined ? userHandle : tampering.userHandle,
        },
        clientExtensionResults: {},
      }
    },
  }
}

export const otherKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** EC2 key for ES256 on P-256. */
function coseOf(key: KeyObject): Uint8Array {
  const { x, y } = key.export({ format: 'jwk' })
  const point = (value?: string) => new Uint8Array(Buffer.from(value ?? '', 'base64url'))
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ]) as never,
  )
}
