import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { Section } from '../../settings/section.tsx'
import { useWebhookMutation } from '../actions/use-webhook-mutation.ts'
import type { TabProps } from './overview-tab.tsx'
import { parseHeaders } from './parse-headers.ts'
import { Verdict, type Verification } from './verification-result.tsx'

/** Why was this request refused? Pasted here, it is judged as the receiver would, without being received. */
export function VerifyTab({ webhook }: TabProps) {
  const [headers, setHeaders] = useState('')
  const [payload, setPayload] = useState('')
  const [against, setAgainst] = useState<'own' | 'other'>('own')
  const [secret, setSecret] = useState('')
  const [verdict, setVerdict] = useState<Verification>()
  const proof = against === 'own' ? { webhookId: webhook.id } : { secret }
  const check = useWebhookMutation(
    () => api.webhooks.verify({ ...proof, payload, headers: parseHeaders(headers) }),
    setVerdict,
  )
  const change = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value)
    setVerdict(undefined)
  }
  return (
    <Section
      title="Verify a request"
      lead="Paste a request that this webhook got, or that it sent to you. It is judged as the receiver would judge it now, and nothing is received."
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
            label="Against which secret"
            value={against}
            options={[
              { value: 'own', label: 'The secret of this webhook' },
              { value: 'other', label: 'Another secret' },
            ]}
            onChoose={(next) => {
              setAgainst(next)
              setVerdict(undefined)
            }}
          />
        </div>
        {against === 'other' && (
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
          hint="One in a line, as name: value; or as JSON, or the -H of a curl."
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
          hint="Byte for byte: a space more or less makes another signature."
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
        <div aria-live="polite">{verdict && <Verdict verdict={verdict} />}</div>
      </form>
    </Section>
  )
}
