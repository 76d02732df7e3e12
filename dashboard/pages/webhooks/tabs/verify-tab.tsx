import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { Section } from '../../../components/section.tsx'
import { useWebhookMutation } from '../actions/use-webhook-mutation.ts'
import { webhookApi } from '../webhooks-api.ts'
import { parseHeaders } from './parse-headers.ts'
import type { TabProps } from './tab-props.ts'
import { type Verification, VerificationResult } from './verification-result.tsx'

/** Checks the signature of a pasted request as the receiver would, without storing an event. */
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
          ? 'Paste a request that this webhook received or sent. Checks the signature only; nothing is stored.'
          : 'Paste a delivery from this webhook. Checks the signature only; nothing is stored.'
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
              { value: 'own', label: 'This webhook’s secret' },
              { value: 'other', label: 'Another secret' },
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
