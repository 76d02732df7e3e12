import { Download, WrapText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { Button } from '../button.tsx'
import { Copy } from '../copy.tsx'
import { ColoredCode } from './colored-code.tsx'
import { languageOf } from './languages.ts'

export interface CodeProps {
  text: string
  language: string | null
  isClosed: boolean
}

export function CodeBlock({ text, language, isClosed, note }: CodeProps & { note?: ReactNode }) {
  const [isWrapped, setWrapped] = useState(false)
  const { grammar, label, extension } = languageOf(language)
  return (
    <BlockFrame
      label={label}
      actions={
        <>
          <Button
            look="quiet"
            size="small-icon"
            aria-label="Wrap lines"
            title="Wrap lines"
            aria-pressed={isWrapped}
            onClick={() => setWrapped(!isWrapped)}
            className="aria-pressed:bg-selected aria-pressed:text-neutral-12"
          >
            <WrapText aria-hidden className="icon" />
          </Button>
          <Copy value={text} what="code" />
          <DownloadButton
            label={t`Download code`}
            name={`code.${extension}`}
            type="text/plain"
            content={text}
          />
        </>
      }
    >
      {note}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable by keyboard. */}
      <pre tabIndex={0} data-wrap={isWrapped || undefined} className="code-lines -outline-offset-2">
        <code>
          <ColoredCode text={text} grammar={grammar} isClosed={isClosed} />
        </code>
      </pre>
    </BlockFrame>
  )
}

/** Without buttons, for canvas blocks. */
export function PlainCode({ text, language, isClosed }: CodeProps) {
  return (
    <pre>
      <code>
        <ColoredCode text={text} grammar={languageOf(language).grammar} isClosed={isClosed} />
      </code>
    </pre>
  )
}

interface BlockFrameProps {
  label: string
  actions: ReactNode
  children: ReactNode
}

export function BlockFrame({ label, actions, children }: BlockFrameProps) {
  return (
    <div className="code-block overflow-hidden rounded-control border border-neutral-6 bg-inset">
      <div className="flex h-32 items-center gap-2 pr-4 pl-12 text-12 text-neutral-11">
        <span className="mr-auto truncate">{label}</span>
        {actions}
      </div>
      {children}
    </div>
  )
}

interface DownloadButtonProps {
  label: string
  name: string
  type: string
  content: string
}

export function DownloadButton({ label, name, type, content }: DownloadButtonProps) {
  return (
    <Button
      look="quiet"
      size="small-icon"
      aria-label={label}
      title={label}
      onClick={() => {
        const url = URL.createObjectURL(new Blob([content], { type }))
        Object.assign(document.createElement('a'), { href: url, download: name }).click()
        URL.revokeObjectURL(url)
      }}
    >
      <Download aria-hidden className="icon" />
    </Button>
  )
}
