import { Check, Copy as CopyIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../../contract/text.ts'
import { Button } from './button.tsx'
import { toast } from './toast.tsx'

const CONFIRMED_MS = 2000

interface CopyProps {
  value: string
  /** Accessible name: `Copy <what>`. */
  what: string
  withLabel?: boolean
  look?: 'primary' | 'plain' | 'quiet'
}

export function Copy({ value, what, withLabel, look = 'quiet' }: CopyProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const Icon = copied ? Check : CopyIcon
  return (
    <Button
      look={look}
      size={withLabel ? 'normal' : 'small-icon'}
      aria-label={copied ? t`Copied ${what}` : t`Copy ${what}`}
      title={copied ? t`Copied ${what}` : t`Copy ${what}`}
      onClick={async () => setCopied(await copyText(value))}
    >
      <Icon aria-hidden className={`icon ${copied && look === 'quiet' ? 'text-good-text' : ''}`} />
      {withLabel && (copied ? t`Copied` : t`Copy`)}
    </Button>
  )
}

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

/** The clipboard API exists only on https and localhost; plain http needs `execCommand`. */
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

/** For menu items: the menu closes before it could confirm. */
export async function copyWithToast(text: string, noun: string) {
  toast((await copyText(text)) ? t`Copied ${noun}` : t`Couldn’t copy ${noun}`)
}
