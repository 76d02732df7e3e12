import { t } from '../../../../contract/text.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Button } from '../../button.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import type { ConversationState, OutgoingMessage } from '../store/conversation-state.ts'

type PendingProps = Pick<ConversationState, 'outgoing'> & { queued: ConversationState['messages']['queued'] }

export function PendingMessages({ queued, outgoing }: PendingProps) {
  return (
    <>
      {queued.filter(isMember).map(({ id, text }) => (
        <Pending key={id} text={text} note="Queued for the next step" />
      ))}
      {outgoing.map((entry) => (
        <OutgoingRow key={entry.key} outgoing={entry} />
      ))}
    </>
  )
}

function OutgoingRow({ outgoing }: { outgoing: OutgoingMessage }) {
  const { open, onCompose } = useOpenConversation()
  const { message, error, key, attachmentNames } = outgoing
  return (
    <>
      <Pending text={message.content} note={error === null ? t`Sending…` : attachmentNames.join(', ')} />
      {error !== null && (
        <div
          role="alert"
          className="flex flex-wrap items-center justify-end gap-8 rounded-control border border-bad-line bg-bad-wash px-12 py-8 text-13"
        >
          <span className="mr-auto wrap-anywhere">Not sent: {shortMessage(error)}</span>
          <Button size="small" onClick={() => void open.resend(outgoing)}>
            Try again
          </Button>
          <Button
            size="small"
            look="quiet"
            onClick={() => {
              open.discard(key)
              onCompose(message.content)
            }}
          >
            Edit
          </Button>
        </div>
      )}
    </>
  )
}

function Pending({ text, note }: { text: string; note: string }) {
  return (
    <article aria-label="Message" className="flex flex-col items-end gap-4">
      <div className="wrap-anywhere max-w-full whitespace-pre-wrap rounded-panel border border-neutral-7 border-dashed px-12 py-8 text-neutral-11 sm:max-w-5/6">
        {text}
      </div>
      {note && <span className="text-12 text-neutral-11">{note}</span>}
    </article>
  )
}

/** The server's requests to correct a result join at once. */
const isMember = ({ step }: PendingProps['queued'][number]) => step === null
