import { useQuery } from '@tanstack/react-query'
import { Square, Volume2 } from 'lucide-react'
import { useEffect } from 'react'
import { t } from '../../../../contract/text.ts'
import type { Message } from '../../../api/conversations.ts'
import { voiceQuery } from '../../../api/voice.ts'
import { Button } from '../../button.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import { readAloud, stopReading, usePlayerState } from './player.ts'

/** Leaving the conversation stops it. */
export function ReadAloud({ message }: { message: Message }) {
  const { conversation } = useOpenConversation()
  const voice = useQuery(voiceQuery).data
  const state = usePlayerState(message.id)
  useEffect(() => () => stopReading(message.id), [message.id])
  if (voice?.speech.problem !== null) return null
  const isIdle = state === 'idle'
  const label = isIdle ? t`Read aloud` : t`Stop reading aloud`
  const Icon = isIdle ? Volume2 : Square
  return (
    <Button
      look="quiet"
      size="small-icon"
      aria-label={label}
      title={label}
      aria-busy={state === 'loading' || undefined}
      onClick={() => (isIdle ? void readAloud(conversation.id, message.id) : stopReading(message.id))}
    >
      <Icon aria-hidden className={isIdle ? 'icon' : 'size-12 fill-current'} />
    </Button>
  )
}
