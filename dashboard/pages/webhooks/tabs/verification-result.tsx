import { ShieldCheck, ShieldX } from 'lucide-react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { rejectionLabel, schemeLabel } from '../webhook-labels.ts'

export type Verification = OutputOf<Contract['webhooks']['verify']>

/** The result of a signature check: the scheme, or the reason and the fix. */
export function VerificationResult({ verification }: { verification: Verification }) {
  const { valid, scheme, reason, timestampSkewSeconds: skew } = verification
  const Icon = valid ? ShieldCheck : ShieldX
  const { reason: problem, advice } = rejectionLabel(reason)
  return (
    <div
      className={`flex gap-12 rounded-control border p-12 text-13 ${valid ? 'border-good-line bg-good-wash' : 'border-bad-line bg-bad-wash'}`}
    >
      <Icon aria-hidden className={`icon mt-px ${valid ? 'text-good-text' : 'text-bad-text'}`} />
      <div className="flex min-w-0 flex-col gap-4">
        <p className={`font-medium ${valid ? 'text-good-text' : 'text-bad-text'}`}>
          {valid ? 'Valid signature' : 'Invalid signature'}
        </p>
        <p>{valid ? `Verified by ${schemeLabel(scheme)}.` : `${problem}.`}</p>
        {!valid && <p className="text-neutral-11">{advice}</p>}
        {!valid && scheme && <p className="text-neutral-11">Checked: {schemeLabel(scheme)}.</p>}
        {skew !== null && <p className="text-neutral-11">{skewText(skew)}</p>}
      </div>
    </div>
  )
}

const MINUTE_S = 60

function skewText(seconds: number): string {
  const absolute = Math.abs(seconds)
  const length =
    absolute < 2 * MINUTE_S
      ? `${absolute} seconds`
      : `${Math.round(absolute / MINUTE_S).toLocaleString('en')} minutes`
  if (absolute < 2) return 'Signed just now.'
  return seconds > 0 ? `Signed ${length} ago.` : `Signed ${length} ahead of the server clock.`
}
