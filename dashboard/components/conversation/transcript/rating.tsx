import { useMutation } from '@tanstack/react-query'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import type { Message } from '../../../api/conversations.ts'
import { Button } from '../../button.tsx'
import { CONTROL } from '../../forms/field.tsx'
import { toastFailure } from '../../toast.tsx'
import { useOpenConversation } from '../conversation-context.ts'

const COMMENT_MAX = 1000

/** Pressing the chosen thumb again removes the rating. Thumbs down asks why. */
export function RatingButtons({ message }: { message: Message }) {
  const { open, conversation } = useOpenConversation()
  const [asksWhy, setAsksWhy] = useState(false)
  const chosen = message.rating?.rating
  const rate = useMutation({
    mutationFn: ({ rating, comment }: { rating: 'up' | 'down' | null; comment?: string }) => {
      const target = { id: conversation.id, messageId: message.id }
      if (rating === null) return api.sessions.unrate(target)
      return api.sessions.rate({ ...target, rating, ...(comment && { comment }) })
    },
    onSuccess: open.replaceMessage,
    onError: toastFailure,
  })
  const press = (rating: 'up' | 'down') => {
    const isRemoved = chosen === rating
    setAsksWhy(rating === 'down' && !isRemoved)
    rate.mutate({ rating: isRemoved ? null : rating })
  }
  return (
    <>
      <Thumb rating="up" isChosen={chosen === 'up'} onPress={() => press('up')} />
      <Thumb rating="down" isChosen={chosen === 'down'} onPress={() => press('down')} />
      {asksWhy && chosen === 'down' && (
        <Why
          onSend={(comment) => {
            if (comment) rate.mutate({ rating: 'down', comment })
            setAsksWhy(false)
          }}
        />
      )}
    </>
  )
}

interface ThumbProps {
  rating: 'up' | 'down'
  isChosen: boolean
  onPress: () => void
}

function Thumb({ rating, isChosen, onPress }: ThumbProps) {
  const Icon = rating === 'up' ? ThumbsUp : ThumbsDown
  const label = rating === 'up' ? t`Good answer` : t`Bad answer`
  return (
    <Button
      look="quiet"
      size="small-icon"
      aria-label={label}
      aria-pressed={isChosen}
      title={label}
      onClick={onPress}
    >
      <Icon aria-hidden className={`icon ${isChosen ? 'fill-selection-wash text-selection-text' : ''}`} />
    </Button>
  )
}

function Why({ onSend }: { onSend: (comment: string) => void }) {
  const [comment, setComment] = useState('')
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onSend('')
  }
  return (
    <form
      className="order-last flex basis-full gap-8 py-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSend(comment.trim())
      }}
    >
      <input
        aria-label="What was wrong?"
        placeholder="What was wrong? (optional)"
        // biome-ignore lint/a11y/noAutofocus: the member just pressed thumbs down.
        autoFocus
        maxLength={COMMENT_MAX}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
        onKeyDown={onKeyDown}
        className={`h-32 min-w-0 flex-1 ${CONTROL}`}
      />
      <Button type="submit">{comment.trim() === '' ? t`Skip` : t`Send`}</Button>
    </form>
  )
}
