import { Check, Copy as CopyIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

const SHOWN_MS = 2000

interface CopyProps {
  value: string
  /** What is copied, for the accessible name: `Copy <what>`. */
  what: string
  /** Shows the word beside the icon. */
  worded?: boolean
  look?: 'primary' | 'plain' | 'quiet'
}

/** Copies, and says so in its own place. */
export function Copy({ value, what, worded, look = 'quiet' }: CopyProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const Icon = copied ? Check : CopyIcon
  return (
    <Button
      look={look}
      size={worded ? 'normal' : 'small-icon'}
      aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
      title={copied ? `Copied ${what}` : `Copy ${what}`}
      onClick={async () => setCopied(await copyText(value))}
    >
      <Icon aria-hidden className={`icon ${copied && look === 'quiet' ? 'text-good-text' : ''}`} />
      {worded && (copied ? 'Copied' : 'Copy')}
    </Button>
  )
}

/** An id: short to read, whole to copy. */
export function CopyId({ id, what }: { id: string; what: string }) {
  return (
    <span className="inline-flex items-center gap-4">
      <code title={id} className="font-mono text-12">
        {id.slice(0, 8)}…{id.slice(-4)}
      </code>
      <Copy value={id} what={what} />
    </span>
  )
}

/** The clipboard API exists on https and localhost only; elsewhere the old way still works. */
export async function copyText(value: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(value).then(
      () => true,
      () => false,
    )
  }
  const area = document.createElement('textarea')
  area.value = value
  const host = document.querySelector('dialog[open]') ?? document.body
  host.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
