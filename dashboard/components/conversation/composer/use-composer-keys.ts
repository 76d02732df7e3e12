import type { KeyboardEvent } from 'react'
import type { Attachment } from '../view/attachments.ts'
import type { useMentions } from './use-mentions.ts'

interface ComposerKeys {
  text: string
  isActive: boolean
  mentions: ReturnType<typeof useMentions>
  onMention: (attachment: Attachment) => void
  send: (interrupt: boolean) => void
  onEditLast?: () => void
}

export function useComposerKeys({ text, isActive, mentions, onMention, send, onEditLast }: ComposerKeys) {
  /** Returns whether the list of mentions used the key. */
  function onListKey(key: string): boolean {
    const { suggestions, active, setActive, dismiss, isOpen } = mentions
    if (!isOpen) return false
    const suggestion = suggestions[active]
    if (key === 'Escape') dismiss()
    else if (key === 'ArrowDown' && suggestion) setActive((active + 1) % suggestions.length)
    else if (key === 'ArrowUp' && suggestion)
      setActive((active - 1 + suggestions.length) % suggestions.length)
    else if ((key === 'Enter' || key === 'Tab') && suggestion) onMention(suggestion)
    else return false
    return true
  }

  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, shiftKey, metaKey, ctrlKey } = event
    // Enter ends the composition of an input method, and is no message.
    if (event.nativeEvent.isComposing) return
    if (onListKey(key)) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (key === 'Enter' && !shiftKey) send(isActive && (metaKey || ctrlKey))
    else if (key === 'ArrowUp' && text === '' && onEditLast) onEditLast()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}
