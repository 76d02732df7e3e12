import type { SignatureScheme } from '../signatures/scheme.ts'
import type { Secret } from '../signatures/secret.ts'
import type { SignedRequest } from '../signatures/signed-request.ts'
import type { Verdict } from '../signatures/verify.ts'

/** An endpoint of a tenant that third parties send events to. */
export interface Receiver {
  orgId: string
  id: string
  source: string
  /** Changes with everything that receiving depends on. */
  version: number
  isDisabled: boolean
  /** The schemes that this receiver accepts; a sender cannot choose another scheme. */
  schemes: readonly SignatureScheme[]
  /** The secrets that are valid at a time. */
  secrets: (now: Date) => readonly Secret[]
  /** Verifies requests that no scheme describes. Returns why a request is refused; null if it is verified. */
  verify?: (request: SignedRequest, now: Date) => Promise<Verdict['reason']>
}
