import { ShieldCheck, ShieldX } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { Section } from '../../../components/section.tsx'
import { useWebhookMutation } from '../actions/use-webhook-mutation.ts'
import { rejectionLabel, schemeLabel } from '../webhook-labels.ts'
import { webhookApi } from '../webhooks-queries.ts'
import { parseHeaders } from './parse-headers.ts'
import type { TabProps } from './tab-props.ts'

/** Checks a pasted request's signature as the receiver would, without storing an event. */
export function VerifyTab({ webhook }: TabProps) {
  const [headers, setHeaders] = useState('')
  const [payload, setPayload] = useState('')
  const [secretChoice, setSecretChoice] = useState<'own' | 'other'>('own')
  const [secret, setSecret] = useState('')
  const [verification, setVerification] = useState<Verification>()
  const key = secretChoice === 'own' ? { webhookId: webhook.id } : { secret }
  const check = useWebhookMutation(
    () => webhookApi.webhooks.verify({ ...key, payload, headers: parseHeaders(headers) }),
    setVerification,
  )
  const change = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value)
    setVerification(undefined)
  }
  return (
    <Section
      title="Verify a request"
      lead={
        webhook.receives
          ? t`Paste a request this webhook received or sent. Checks the signature only; nothing is stored.`
          : t`Paste a delivery from this webhook. Checks the signature only; nothing is stored.`
      }
    >
      <form
        className="flex max-w-reading flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!check.busy) check.run()
        }}
      >
        <FormFailure>{check.failure}</FormFailure>
        <div className="flex flex-col items-start gap-8">
          <Segments
            label="Secret to check against"
            value={secretChoice}
            options={[
              { value: 'own', label: t`This webhook’s secret` },
              { value: 'other', label: t`Another secret` },
            ]}
            onChoose={(next) => {
              setSecretChoice(next)
              setVerification(undefined)
            }}
          />
        </div>
        {secretChoice === 'other' && (
          <TextField
            label="Secret"
            required
            autoComplete="off"
            spellCheck={false}
            limit={256}
            value={secret}
            onChange={change(setSecret)}
          />
        )}
        <TextArea
          label="Headers"
          hint="One per line, JSON, or curl -H flags."
          required
          rows={5}
          spellCheck={false}
          placeholder={'webhook-id: msg_…\nwebhook-timestamp: 1731600000\nwebhook-signature: v1,…'}
          className="font-mono"
          value={headers}
          onChange={change(setHeaders)}
        />
        <TextArea
          label="Body"
          hint="Must match byte for byte, including whitespace."
          rows={6}
          spellCheck={false}
          className="font-mono"
          value={payload}
          onChange={change(setPayload)}
        />
        <div>
          <Button type="submit" look="primary" busy={check.busy}>
            Verify
          </Button>
        </div>
        <div aria-live="polite">{verification && <VerificationResult verification={verification} />}</div>
      </form>
    </Section>
  )
}

type Verification = OutputOf<Contract['webhooks']['verify']>

function VerificationResult({ verification }: { verification: Verification }) {
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
          {valid ? t`Valid signature` : t`Invalid signature`}
        </p>
        <p>{valid ? t`Verified by ${schemeLabel(scheme)}.` : `${problem}.`}</p>
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
      ? t`${absolute} seconds`
      : t`${Math.round(absolute / MINUTE_S).toLocaleString(LOCALE)} minutes`
  if (absolute < 2) return t`Signed just now.`
  return seconds > 0 ? t`Signed ${length} ago.` : t`Signed ${length} ahead of the server clock.`
}
