import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { CONTROL } from '../../../components/forms/field.tsx'
import { toast } from '../../../components/toast.tsx'
import { type Call, cacheCall, telephonyApi } from '../telephony-queries.ts'

/** Instructs the agent. The caller doesn't hear it. */
export function WhisperForm({ call }: { call: Call }) {
  const [message, setMessage] = useState('')
  const whisper = useMutation({
    mutationFn: () => telephonyApi.calls.whisper({ id: call.id, message: message.trim() }),
    onSuccess: async (changed) => {
      setMessage('')
      toast(t`Instruction sent to the agent`)
      await cacheCall(changed)
    },
  })
  const failure = failureMessage(whisper.error)
  return (
    <form
      className="flex shrink-0 flex-col gap-4 border-neutral-6 border-t px-16 py-12 md:px-24"
      onSubmit={(event) => {
        event.preventDefault()
        if (message.trim() && !whisper.isPending) whisper.mutate()
      }}
    >
      <div className="flex gap-8">
        <input
          aria-label="Instruction for the agent"
          aria-invalid={failure ? true : undefined}
          aria-describedby="whisper-note"
          placeholder="Whisper to the agent"
          maxLength={TELEPHONY_LIMITS.message}
          autoComplete="off"
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          className={`h-32 ${CONTROL}`}
        />
        <Button type="submit" busy={whisper.isPending} disabled={message.trim() === ''}>
          Whisper
        </Button>
      </div>
      <p
        id="whisper-note"
        role={failure ? 'alert' : undefined}
        className={`text-12 ${failure ? 'text-bad-text' : 'text-neutral-11'}`}
      >
        {failure ?? t`The agent follows this in its next sentence. The caller doesn’t hear it.`}
      </p>
    </form>
  )
}
