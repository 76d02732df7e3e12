import { SmilePlus } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CONTROL } from '../../components/forms/field.tsx'

const OFFERED = '🚀 💡 📈 🧪 🎯 🛠️ 📚 🎨 🧭 📣 🤖 🔍 🧾 🌍 🏗️ 🌱 🗺️ 🎬 🩺 🔒 💬 🧩 🎓 🏠'.split(' ')
const EMOJI_LENGTH_MAX = 16

interface EmojiFieldProps {
  value: string
  onChange: (emoji: string) => void
}

/** The mark of a project: one of a few, any other that the keyboard has, or none. */
export function EmojiField({ value, onChange }: EmojiFieldProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const choose = (emoji: string) => {
    onChange(emoji)
    setOpen(false)
    requestAnimationFrame(() => document.getElementById(id)?.focus())
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it closes when the focus goes elsewhere; nothing is pressed here.
    <div
      className="relative flex flex-col gap-4"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <span className="font-medium text-13">Emoji</span>
      <button
        id={id}
        type="button"
        aria-label={value ? `Emoji ${value}, choose another` : 'Choose an emoji'}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex size-32 items-center justify-center overflow-hidden rounded-control border border-neutral-7 text-16 hover:border-neutral-8 hover:bg-neutral-3"
      >
        {value || <SmilePlus aria-hidden className="icon text-neutral-11" />}
      </button>
      {open && (
        <div className="absolute top-full left-0 z-20 mt-4 w-menu animate-appear rounded-panel bg-float p-8 shadow-float">
          <EmojiChoice value={value} onChoose={choose} onClose={() => choose(value)} />
        </div>
      )}
    </div>
  )
}

interface EmojiChoiceProps {
  value: string
  onChoose: (emoji: string) => void
  onClose: () => void
}

function EmojiChoice({ value, onChoose, onClose }: EmojiChoiceProps) {
  const [typed, setTyped] = useState('')
  return (
    <fieldset
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      <legend className="sr-only">Emoji of the project</legend>
      <div className="grid grid-cols-6 gap-4">
        {OFFERED.map((emoji) => (
          <button
            key={emoji}
            type="button"
            aria-pressed={emoji === value}
            onClick={() => onChoose(emoji)}
            className="flex size-32 items-center justify-center rounded-control text-16 hover:bg-neutral-4 aria-pressed:bg-accent-wash aria-pressed:outline-1 aria-pressed:outline-accent-line"
          >
            {emoji}
          </button>
        ))}
      </div>
      <div className="mt-8 flex gap-4">
        <input
          aria-label="Any other emoji"
          placeholder="Any other"
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
