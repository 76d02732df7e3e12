import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What a browser hands to `navigator.credentials`. */
interface Asked {
  challenge: string
  rp?: { id?: string }
  rpId?: string
  user?: { id: string }
}

/** What an attacker, or a weak authenticator, does differently. */
interface Twist {
  /** The page that asks; browsers write it down. */
  origin?: string
  rpId?: string
  challenge?: string
  verified?: boolean
  present?: boolean
  counter?: number
  userHandle?: string | null
  id?: string
  type?: string
  /** The statement of an attestation nobody asked for. */
  attestation?: { fmt: string; attStmt: Map<string, unknown> }
  signWith?: KeyObject
}

const FLAGS = { present: 0x01, verified: 0x04, eligible: 0x08, synced: 0x10, attested: 0x40 }
const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** An authenticator in software with one ES256 key, and the browser in front of it on the page `origin`. */
export function createAuthenticator(
  origin: string,
  options: { counts?: boolean; synced?: boolean; id?: string } = {},
) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = options.id ? Buffer.from(options.id, 'base64url') : randomBytes(32)
  const id = base64url(credentialId)
  let counter = 0
  let userHandle: string | null = null

  const clientData = (asked: Asked, type: string, twist: Twist) =>
    JSON.stringify({
      type: twist.type ?? type,
      challenge: twist.challenge ?? asked.challenge,
      origin: twist.origin ?? origin,
      crossOrigin: false,
    })

  const authenticatorData = (asked: Asked, twist: Twist, attested?: Uint8Array) => {
    if (options.counts ?? true) counter++
    const rpId = twist.rpId ?? asked.rp?.id ?? asked.rpId ?? new URL(origin).hostname
    const flags =
      ((twist.present ?? true) ? FLAGS.present : 0) |
      ((twist.verified ?? true) ? FLAGS.verified : 0) |
      (options.synced ? FLAGS.eligible | FLAGS.synced : 0) |
      (attested ? FLAGS.attested : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags, 0)
    head.writeUInt32BE(twist.counter ?? counter, 1)
    return Buffer.concat([sha256(rpId), head, attested ?? Buffer.alloc(0)])
  }

  return {
    id,
    /** As `navigator.credentials.create()` answers. */
    create(given: object, twist: Twist = {}) {
      const asked = given as Asked
      userHandle = asked.user?.id ?? null
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseOf(publicKey)])
      const { fmt, attStmt } = twist.attestation ?? { fmt: 'none', attStmt: new Map() }
      const attestation = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', new Uint8Array(authenticatorData(asked, twist, attested))],
      ])
      return {
        id: twist.id ?? id,
        rawId: twist.id ?? id,
        type: 'public-key' as const,
        response: {
          clientDataJSON: base64url(clientData(asked, 'webauthn.create', twist)),
          attestationObject: base64url(isoCBOR.encode(attestation as never)),
          transports: ['internal', 'hybrid', 'telepathy'],
        },
        clientExtensionResults: {},
      }
    },
    /** As `navigator.credentials.get()` answers. */
    get(given: object, twist: Twist = {}) {
      const asked = given as Asked
      const client = clientData(asked, 'webauthn.get', twist)
      const data = authenticatorData(asked, twist)
      const signed = Buffer.concat([data, sha256(client)])
      return {
        id: twist.id ?? id,
        rawId: twist.id ?? id,
        type: 'public-key' as const,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', signed, twist.signWith ?? privateKey)),
          userHandle: twist.userHandle === undefined ? userHandle : twist.userHandle,
        },
        clientExtensionResults: {},
      }
    },
  }
}

export const otherKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** An EC2 key for ES256 on P-256, as COSE writes it. */
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
