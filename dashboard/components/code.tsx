import { Copy } from './copy.tsx'
import { ColoredCode } from './markdown/colored-code.tsx'

interface CodeProps {
  children: string
  /** Noun in the copy button's accessible name. */
  what: string
  /** Scrolls instead of wrapping: a wrapped shell command isn't readable after a trailing backslash. */
  command?: boolean
  /** Scrolls beyond half the screen height. */
  tall?: boolean
  /** Of a program. JSON is recognized. */
  grammar?: string
}

export function Code({ children, what, command, tall, grammar }: CodeProps) {
  return (
    <div className="relative rounded-control border border-neutral-6 bg-inset">
      <pre
        // A scrollable element must be focusable by keyboard.
        tabIndex={command || tall ? 0 : undefined}
        className={`mr-32 py-8 pl-12 text-left font-mono text-12 ${command ? 'overflow-x-auto' : 'whitespace-pre-wrap wrap-anywhere'} ${tall ? 'max-h-nested-max overflow-y-auto' : ''}`}
      >
        <ColoredCode text={children} grammar={grammar ?? (JSON_TEXT.test(children) ? 'json' : null)} />
      </pre>
      <div className="absolute top-4 right-4">
        <Copy value={children} what={what} />
      </div>
    </div>
  )
}

const JSON_TEXT = /^\s*(\{\s*["}]|\[\s*["[{\d\]])/
