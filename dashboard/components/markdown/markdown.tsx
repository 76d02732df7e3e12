import { memo } from 'react'
import './markdown.css'
import { createRenderer, OutLink } from './renderText.tsx'

const renderText = createRenderer({
  Code: ({ text }) => (
    <pre>
      <code>{text}</code>
    </pre>
  ),
  Link: OutLink,
})

/** Renders Markdown as React elements. HTML in the source stays text, so nothing in it can run. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div className="markdown">{renderText(text)}</div>
})
