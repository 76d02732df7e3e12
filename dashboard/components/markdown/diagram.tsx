import { Code as CodeIcon, Workflow } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { shownTheme, useTheme } from '../../state/theme.ts'
import { Button } from '../button.tsx'
import { Copy } from '../copy.tsx'
import { BlockFrame, CodeBlock, DownloadButton } from './code-block.tsx'
import type { Drawing, Palette } from './draw-diagram.ts'

/** A Mermaid diagram. Its source stays one click away, and replaces a diagram that can't be drawn. */
export function Diagram({ text }: { text: string }) {
  const [isSource, setSource] = useState(false)
  const drawing = useDrawing(text)
  if (drawing && 'failed' in drawing) {
    return (
      <CodeBlock
        text={text}
        language="mermaid"
        isClosed
        note={<p className="px-12 pb-4 text-12 text-neutral-11">{FAILURES[drawing.failed]}</p>}
      />
    )
  }
  const toggle = (
    <Button
      look="quiet"
      size="small-icon"
      aria-label={isSource ? t`Show diagram` : t`Show source`}
      title={isSource ? t`Show diagram` : t`Show source`}
      onClick={() => setSource(!isSource)}
    >
      {isSource ? <Workflow aria-hidden className="icon" /> : <CodeIcon aria-hidden className="icon" />}
    </Button>
  )
  return (
    <BlockFrame
      label={t`Diagram`}
      actions={
        <>
          {toggle}
          <Copy value={text} what="diagram source" />
          {drawing && (
            <DownloadButton
              label={t`Download diagram`}
              name="diagram.svg"
              type="image/svg+xml"
              content={drawing.svg}
            />
          )}
        </>
      }
    >
      {isSource ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable by keyboard.
        <pre tabIndex={0} className="code-lines -outline-offset-2">
          <code>{text}</code>
        </pre>
      ) : (
        <DiagramImage drawing={drawing} source={text} />
      )}
    </BlockFrame>
  )
}

/** Without buttons, for canvas blocks. */
export function PlainDiagram({ text }: { text: string }) {
  const drawing = useDrawing(text)
  if (drawing && 'failed' in drawing) {
    return (
      <pre>
        <code>{text}</code>
      </pre>
    )
  }
  return <DiagramImage drawing={drawing} source={text} />
}

function DiagramImage({
  drawing,
  source,
}: {
  drawing: Exclude<Drawing, { failed: string }> | null
  source: string
}) {
  if (!drawing) {
    return (
      <div role="status" className="grid h-48 animate-late place-items-center text-12 text-neutral-11">
        Drawing…
      </div>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable by keyboard.
    <div tabIndex={0} className="overflow-auto p-12 -outline-offset-2">
      <img
        // An image runs no scripts and loads nothing. `data:` can't be opened as a page, unlike `blob:`.
        src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing.svg)}`}
        alt={t`Diagram: ${source.slice(0, ALT_UNITS_MAX)}`}
        width={Math.ceil(drawing.width)}
        height={Math.ceil(drawing.height)}
        className="mx-auto h-auto max-w-full"
      />
    </div>
  )
}

const ALT_UNITS_MAX = 500

const FAILURES = {
  invalid: t`This diagram has an error, so you see its source.`,
  too_large: t`This diagram is too large to draw, so you see its source.`,
  timed_out: t`This diagram took too long to draw, so you see its source.`,
}

function useDrawing(source: string): Drawing | null {
  const theme = useTheme()
  const [drawing, setDrawing] = useState<{ key: string; drawing: Drawing } | null>(null)
  const key = `${theme}\n${source}`
  useEffect(() => {
    let isCurrent = true
    void import('./draw-diagram.ts')
      .then(({ drawDiagram }) => drawDiagram(source, readPalette()))
      .catch((): Drawing => ({ failed: 'timed_out' }))
      .then((drawing) => isCurrent && setDrawing({ key: `${theme}\n${source}`, drawing }))
    return () => {
      isCurrent = false
    }
  }, [theme, source])
  return drawing?.key === key ? drawing.drawing : null
}

/** The frame has no stylesheet of ours. */
function readPalette(): Palette {
  const probe = document.createElement('span')
  document.body.append(probe)
  const color = (token: string) => {
    probe.style.color = `var(--color-${token})`
    return getComputedStyle(probe).color
  }
  const palette = {
    isDark: shownTheme() === 'dark',
    background: color('inset'),
    text: color('neutral-12'),
    line: color('neutral-9'),
    surface: color('card'),
    border: color('neutral-8'),
  }
  probe.remove()
  return palette
}
