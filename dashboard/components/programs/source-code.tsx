import { useLayoutEffect, useRef } from 'react'
import { Copy } from '../copy.tsx'
import { ColoredCode } from '../markdown/colored-code.tsx'

interface SourceCodeProps {
  children: string
  /** From 1. Where the program failed. */
  badLine?: number | undefined
}

/** JavaScript with line numbers. */
export function SourceCode({ children, badLine }: SourceCodeProps) {
  const area = useRef<HTMLElement>(null)
  const bad = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (badLine === undefined || !area.current || !bad.current) return
    area.current.scrollTop = bad.current.offsetTop - area.current.clientHeight / 2
  }, [badLine])
  const count = children.split('\n').length
  const line = badLine !== undefined && badLine >= 1 && badLine <= count ? badLine : undefined
  return (
    <div className="relative rounded-control border border-neutral-6 bg-inset">
      <figure
        ref={area}
        aria-label="Source"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable by keyboard.
        tabIndex={0}
        className="max-h-nested-max overflow-auto py-8 font-mono text-12"
      >
        <div className="relative flex w-max min-w-full">
          {line !== undefined && (
            <span
              ref={bad}
              data-bad-line={line}
              className="absolute inset-x-0 h-16 bg-bad-wash"
              style={{ top: `${line - 1}lh` }}
            />
          )}
          <span
            aria-hidden
            className="sticky left-0 select-none whitespace-pre bg-inset pr-12 pl-12 text-right text-neutral-9"
          >
            {numbers(1, (line ?? count + 1) - 1)}
            {line !== undefined && <b className="block font-medium text-bad-text">{line}</b>}
            {line !== undefined && numbers(line + 1, count)}
          </span>
          <pre className="relative pr-48">
            <ColoredCode text={children} grammar="javascript" />
          </pre>
        </div>
      </figure>
      <div className="absolute top-4 right-4 rounded-control bg-inset">
        <Copy value={children} what="code" />
      </div>
    </div>
  )
}

const numbers = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => `${from + index}\n`).join('')
