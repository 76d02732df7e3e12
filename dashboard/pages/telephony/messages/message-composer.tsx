import { useMutation } from '@tanstack/react-query'
import { Paperclip } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { measureSms } from '../../../../contract/telephony/sms-segments.ts'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { AttachmentList, useAttachments } from '../../../components/conversation/composer/attachments.tsx'
import { FileInput } from '../../../components/forms/file-input.tsx'
import { createRequestKey } from '../../../state/random-id.ts'
import { asE164 } from '../phone.tsx'
import { type PhoneNumber, refreshTelephony, type Sms, telephonyApi } from '../telephony-queries.ts'

interface MessageComposerProps {
  number: PhoneNumber
  to: string
  onSent?: (sms: Sms) => unknown
}

export function MessageComposer({ number, to, onSent }: MessageComposerProps) {
  const [body, setBody] = useState('')
  const [key] = useState(createRequestKey)
  const input = useRef<HTMLInputElement>(null)
  const attachments = useAttachments(number.projectId)
  const mediaFileIds = attachments.uploadedAttachments.map(({ id }) => id)
  const request = {
    to: asE164(to),
    body,
    numberId: number.id,
    ...(mediaFileIds.length > 0 && { mediaFileIds }),
  }
  const send = useMutation({
    mutationFn: () => telephonyApi.sms.send(request, { idempotencyKey: key.of(request) }),
    onSuccess: async (sms) => {
      key.reset()
      setBody('')
      attachments.clear()
      await refreshTelephony()
      await onSent?.(sms)
    },
  })
  const isTooLong = Array.from(body).length > TELEPHONY_LIMITS.smsBody
  const canSend =
    body.trim() !== '' && to.trim() !== '' && !isTooLong && !attachments.isUploading && !send.isPending
  const submit = () => {
    if (canSend) send.mutate()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }
  const failure = failureMessage(send.error)
  return (
    <div className="shrink-0 border-neutral-6 border-t px-16 py-12 md:px-24">
      {failure && (
        <p role="alert" className="mb-8 text-13 text-bad-text">
          {failure}
        </p>
      )}
      <div className="rounded-panel border border-neutral-7 bg-card focus-within:border-selection">
        <AttachmentList drafts={attachments.drafts} onRemove={attachments.remove} />
        <textarea
          aria-label="Message"
          aria-invalid={isTooLong || undefined}
          placeholder="Text message"
          rows={2}
          value={body}
          onChange={(event) => setBody(event.target.value)}
          onKeyDown={onKeyDown}
          className="block max-h-nested-max w-full resize-none bg-transparent px-12 pt-12 pb-4 text-16 outline-none sm:text-14"
        />
        <div className="flex items-center gap-8 p-8 pt-4">
          {number.capabilities.mms && (
            <>
              <FileInput
                ref={input}
                multiple
                label="Files to attach"
                onFiles={(files) => attachments.addFiles([...files])}
              />
              <Button
                look="quiet"
                size="icon"
                aria-label="Attach files"
                title="Attach files"
                onClick={() => input.current?.click()}
              >
                <Paperclip aria-hidden className="icon" />
              </Button>
            </>
          )}
          <SegmentCounter body={body} />
          <Button
            look="primary"
            className="ml-auto"
            disabled={!canSend}
            busy={send.isPending}
            onClick={submit}
          >
            Send
          </Button>
        </div>
      </div>
    </div>
  )
}

const ENCODING_HINTS = {
  'GSM-7': t`Each segment has up to 160 characters.`,
  'UCS-2': t`Characters outside the GSM alphabet, such as emoji or curly quotes, limit each segment to 70 characters.`,
}

function SegmentCounter({ body }: { body: string }) {
  const length = Array.from(body).length
  if (length === 0) return null
  if (length > TELEPHONY_LIMITS.smsBody)
    return (
      <span className="text-12 text-bad-text tabular-nums">
        {length.toLocaleString(LOCALE)} of {TELEPHONY_LIMITS.smsBody.toLocaleString(LOCALE)} characters
      </span>
    )
  const { encoding, segments, left } = measureSms(body)
  return (
    <span
      title={ENCODING_HINTS[encoding]}
      className={`text-12 tabular-nums ${encoding === 'UCS-2' ? 'text-warning-text' : 'text-neutral-11'}`}
    >
      {segments === 1 ? t`1 segment` : t`${segments} segments`} · {encoding} · {left} left
    </span>
  )
}
