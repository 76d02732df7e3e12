import { memo } from 'react'
import { OutLink } from './out-link.tsx'
import { createRenderer } from './render.tsx'
import './markdown.css'

const render = createRenderer({
  Code: ({ text }) => (
    <pre>
      <code>{text}</code>
    </pre>
  ),
  Link: OutLink,
})

/** Renders Markdown as React elements. HTML in the source stays text, so nothing in it can run. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div className="markdown">{render(text)}</div>
})
