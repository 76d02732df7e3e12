import { t } from '../../../contract/text.ts'
import './markdown.css'
import { Image as ImageIcon, ImageOff } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import { Copy } from '../copy.tsx'
import { createGrowingParser, type Image, parseMarkdown } from './parse.ts'
import { createRenderer, OutLink } from './render.tsx'

const renderText = createRenderer({
  Code: ({ text }) => (
    <pre>
      <code>{text}</code>
    </pre>
  ),
  Link: OutLink,
})

/** HTML in the source stays text, so nothing in it can run. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div className="markdown">{renderText(parseMarkdown(text))}</div>
})

const render = createRenderer({ Code: AnswerCode, Link: AnswerLink, Image: AnswerImage })

/**
 * For agent text. Shows images from workspace files; images on other hosts become links, so no text can make the
 * browser send them a request. A link names its host.
 */
export const Answer = memo(function Answer({ text }: { text: string }) {
  const [parse] = useState(createGrowingParser)
  return <div className="markdown answer">{render(parse(text))}</div>
})

function AnswerCode({ text, language }: { text: string; language: string | null }) {
  return (
    <div className="my-8 overflow-hidden rounded-control border border-neutral-6 bg-inset">
      <div className="flex h-32 items-center justify-between border-neutral-6 border-b pr-4 pl-12 text-12 text-neutral-11">
        <span className="font-mono">{language ?? 'text'}</span>
        <Copy value={text} what="code" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable by keyboard. */}
      <pre tabIndex={0} className="answer-code">
        <code>{text}</code>
      </pre>
    </div>
  )
}

function AnswerImage({ image }: { image: Image }) {
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
        className="inline-flex max-w-full items-center gap-4 align-bottom"
      >
        <ImageIcon aria-hidden className="icon shrink-0" />
        <span className="wrap-anywhere">
          Image: {alt} (on {destinationOf(image.href)})
        </span>
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
