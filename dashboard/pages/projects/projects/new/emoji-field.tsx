import { SmilePlus } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { Button } from '../../../../components/button.tsx'
import { CONTROL } from '../../../../components/forms/field.tsx'

const SUGGESTIONS = '🚀 💡 📈 🧪 🎯 🛠️ 📚 🎨 🧭 📣 🤖 🔍 🧾 🌍 🏗️ 🌱 🗺️ 🎬 🩺 🔒 💬 🧩 🎓 🏠'.split(' ')
const EMOJI_LENGTH_MAX = 16

interface EmojiFieldProps {
  value: string
  onChange: (emoji: string) => void
  /** Shown as the button, without a label: what the emoji is part of. */
  face?: ReactNode
  /** Below the emoji. */
  children?: ReactNode
  /** For a face that shows something else. */
  hasNoEmoji?: boolean
}

export function EmojiField({ value, onChange, face, children, hasNoEmoji }: EmojiFieldProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const choose = (emoji: string) => {
    onChange(emoji)
    setOpen(false)
    requestAnimationFrame(() => document.getElementById(id)?.focus())
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only closes the picker, by Escape or when the focus leaves.
    <div
      className="relative flex flex-col gap-4"
      onKeyDown={(event) => {
        if (!open || event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        choose(value)
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      {!face && <span className="font-medium text-13">Emoji</span>}
      <button
        id={id}
        type="button"
        aria-label={face ? t`Change the face` : value ? t`Change emoji ${value}` : t`Choose an emoji`}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={
          face
            ? 'rounded-panel p-2 transition-colors enabled:hover:bg-hover'
            : 'flex size-32 items-center justify-center overflow-hidden rounded-control border border-neutral-7 text-16 hover:border-neutral-8 hover:bg-hover'
        }
      >
        {face ?? (value || <SmilePlus aria-hidden className="icon text-neutral-11" />)}
      </button>
      {open && (
        <div className="absolute top-full left-0 z-20 mt-4 w-menu animate-appear rounded-panel bg-float p-8 shadow-float">
          {!hasNoEmoji && <EmojiPicker value={value} onChoose={choose} />}
          {children}
        </div>
      )}
    </div>
  )
}

interface EmojiPickerProps {
  value: string
  onChoose: (emoji: string) => void
}

function EmojiPicker({ value, onChoose }: EmojiPickerProps) {
  const [typed, setTyped] = useState('')
  return (
    <fieldset>
      <legend className="sr-only">Emoji</legend>
      <div className="grid grid-cols-6 gap-4">
        {SUGGESTIONS.map((emoji) => (
          <button
            key={emoji}
            type="button"
            aria-pressed={emoji === value}
            onClick={() => onChoose(emoji)}
            className="flex size-32 items-center justify-center rounded-control text-16 hover:bg-hover aria-pressed:bg-selection-wash aria-pressed:outline-1 aria-pressed:outline-selection-line"
          >
            {emoji}
          </button>
        ))}
      </div>
      <div className="mt-8 flex gap-4">
        <input
          aria-label="Another emoji"
          placeholder="Another"
          autoComplete="off"
          maxLength={EMOJI_LENGTH_MAX}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            if (typed.trim()) onChoose(typed.trim())
          }}
          className={`h-32 ${CONTROL}`}
        />
        {typed.trim() ? (
          <Button onClick={() => onChoose(typed.trim())}>Use</Button>
        ) : (
          <Button disabled={!value} onClick={() => onChoose('')}>
            None
          </Button>
        )}
      </div>
    </fieldset>
  )
}
