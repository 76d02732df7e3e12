import { t } from '../../../contract/text.ts'
import { CitedText } from '../citations/cited-text.tsx'
import './markdown.css'
import { ExternalLink, Image as ImageIcon, ImageOff } from 'lucide-react'
import { memo, type ReactNode, useEffect, useState } from 'react'
import { CodeBlock } from './code-block.tsx'
import { Diagram } from './diagram.tsx'
import { createGrowingParser, type Image, parseMarkdown } from './parse.ts'
import { createRenderer, OutLink } from './render.tsx'

const renderText = createRenderer({ Code: CodeBlock, Diagram, Link: OutLink, Image: MarkdownImage })

/** For people's text. HTML in the source stays text, so nothing in it can run. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div className="markdown">{renderText(parseMarkdown(text))}</div>
})

const renderAnswer = createRenderer({
  Code: CodeBlock,
  Diagram,
  Link: AnswerLink,
  Image: MarkdownImage,
  Text: CitedText,
})

/** For agent text: a document that may still grow, whose links name their host. */
export const Answer = memo(function Answer({ text }: { text: string }) {
  const [parser] = useState(createGrowingParser)
  const parts = useIsSettled(text) ? parser.settle(text) : parser.grow(text)
  return <div className="markdown answer">{renderAnswer(parts)}</div>
})

const SETTLED_AFTER_MS = 300

/** False while it grows. */
function useIsSettled(text: string): boolean {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled === text
}

/**
 * Shows images from workspace files. One on another host is a link, so no text can make the browser send a request there:
 * that would tell the host who reads this, and when.
 */
function MarkdownImage({ image }: { image: Image }) {
  const [isMissing, setMissing] = useState(false)
  // Strips direction overrides, which could reverse the host after it.
  const alt = image.alt.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '') || t`Image`
  if ('href' in image)
    return (
      <a
        target="_blank"
        rel="noreferrer noopener"
        href={image.href}
        title={image.href}
        className="image-link inline-flex max-w-full items-center gap-8 rounded-control bg-card px-8 py-4 align-bottom text-13 shadow-card hover:bg-hover"
      >
        <ImageIcon aria-hidden className="icon text-neutral-11" />
        <span className="wrap-anywhere">
          Open image: {alt} (on {destinationOf(image.href)})
        </span>
        <ExternalLink aria-hidden className="size-12 shrink-0 text-neutral-11" />
      </a>
    )
  if (isMissing)
    return (
      <span className="inline-flex max-w-full items-center gap-4 align-bottom text-neutral-11">
        <ImageOff aria-hidden className="icon shrink-0" />
        <span className="wrap-anywhere">{alt} (image unavailable)</span>
      </span>
    )
  return (
    <a href={`/files?view=${image.fileId}`} title={alt} className="block w-fit max-w-full">
      <img
        // Built from the id alone, so an answer controls no other part of the request.
        src={`/api/v1/files/${image.fileId}?download=true&inline=true`}
        alt={alt}
        loading="lazy"
        onError={() => setMissing(true)}
        className="max-h-nested-max max-w-full rounded-control border border-neutral-6"
      />
    </a>
  )
}

function AnswerLink({ href, children }: { href: string; children: ReactNode }) {
  const destination = destinationOf(href)
  const isUrlVisible = [href, href.replace(/\/$/, ''), destination].includes(textOf(children).trim())
  return (
    <>
      <a target="_blank" rel="noreferrer noopener" href={href} title={href}>
        <bdi>{children}</bdi>
      </a>
      {/* Isolated, so a direction override in the text can't reverse the host. */}
      {!isUrlVisible && (
        <span className="text-12 text-neutral-11">
          {' '}
          <bdi dir="ltr">({destination})</bdi>
        </span>
      )}
    </>
  )
}

/** The host in ASCII, so look-alike characters are visible; for mailto, the address. */
function destinationOf(href: string): string {
  const { protocol, host, pathname } = new URL(href)
  return protocol === 'mailto:' ? pathname : host
}

function textOf(children: ReactNode): string {
  if (typeof children === 'string') return children
  if (Array.isArray(children)) return children.map(textOf).join('')
  const inside = (children as { props?: { children?: ReactNode } } | null)?.props?.children
  return inside === undefined ? '' : textOf(inside)
}
