import { ShieldCheck, ShieldX } from 'lucide-react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { rejectionLabel, schemeLabel } from '../webhook-labels.ts'

export type Verification = OutputOf<Contract['webhooks']['verify']>

/** Whether it counts, by which proof, and if not, why and what to do. */
export function Verdict({ verdict }: { verdict: Verification }) {
  const { valid, scheme, reason, timestampSkewSeconds: skew } = verdict
  const Icon = valid ? ShieldCheck : ShieldX
  const { what, advice } = rejectionLabel(reason)
  return (
    <div
      className={`flex gap-12 rounded-control border p-12 text-13 ${valid ? 'border-good-line bg-good-wash' : 'border-bad-line bg-bad-wash'}`}
    >
      <Icon aria-hidden className={`icon mt-px ${valid ? 'text-good-text' : 'text-bad-text'}`} />
      <div className="flex min-w-0 flex-col gap-4">
        <p className={`font-medium ${valid ? 'text-good-text' : 'text-bad-text'}`}>
          {valid ? 'Genuine' : 'It would be refused'}
        </p>
        <p>{valid ? `Proved by ${schemeLabel(scheme)}.` : `${what}.`}</p>
        {!valid && <p className="text-neutral-11">{advice}</p>}
        {!valid && scheme && <p className="text-neutral-11">Looked at: {schemeLabel(scheme)}.</p>}
        {skew !== null && <p className="text-neutral-11">{skewWord(skew)}</p>}
      </div>
    </div>
  )
}

const MINUTE_S = 60

function skewWord(seconds: number): string {
  const distance = Math.abs(seconds)
  const length =
    distance < 2 * MINUTE_S
      ? `${distance} seconds`
      : `${Math.round(distance / MINUTE_S).toLocaleString('en')} minutes`
  if (distance < 2) return 'It was signed just now.'
  return seconds > 0 ? `It was signed ${length} ago.` : `It was signed ${length} ahead of our clock.`
}
