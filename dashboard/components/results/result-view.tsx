import { Braces } from 'lucide-react'
import { useState } from 'react'
import type { OutputSchema } from '../../../contract/agents/output-rules.ts'
import { t } from '../../../contract/text.ts'
import { Button } from '../button.tsx'
import { Code } from '../code.tsx'
import { Copy } from '../copy.tsx'
import { toJsonText } from './labels.ts'
import { Fields, Items } from './result-value.tsx'

interface ResultViewProps {
  title?: string
  /** Where a page can have several: a block or form, for screen readers. */
  of?: string | undefined
  output: Record<string, unknown> | readonly unknown[]
  /** For titles and the order of fields. */
  schema: OutputSchema | null
  /** False where only a selected thing has controls. */
  hasActions?: boolean
}

/** A run's result as a form, or as JSON. */
export function ResultView({ title = t`Result`, of, output, schema, hasActions = true }: ResultViewProps) {
  const [isRaw, setRaw] = useState(false)
  const json = toJsonText(output)
  return (
    <section
      aria-label={of ? `${title}: ${of}` : title}
      className="min-w-0 overflow-hidden rounded-panel border border-neutral-6 bg-card"
    >
      <header className="flex items-center gap-4 border-neutral-6 border-b bg-inset py-4 pr-4 pl-12">
        <p className="flex min-h-24 min-w-0 flex-1 items-center font-medium text-12 text-neutral-11">
          {title}
        </p>
        {hasActions && (
          <span className="nodrag flex items-center gap-4">
            <Button
              look="quiet"
              size="small"
              aria-pressed={isRaw}
              title={isRaw ? t`Show as a form` : t`Show as JSON`}
              className="aria-pressed:bg-hover aria-pressed:text-neutral-12"
              onClick={() => setRaw(!isRaw)}
            >
              <Braces aria-hidden className="icon" />
              JSON
            </Button>
            <Copy value={json} what="result as JSON" />
          </span>
        )}
      </header>
      {isRaw ? (
        <div className="p-8">
          <Code what="result as JSON" tall>
            {json}
          </Code>
        </div>
      ) : (
        <div className="px-12 py-8">
          {isList(output) ? <Items value={output} /> : <Fields value={output} schema={schema} />}
        </div>
      )}
    </section>
  )
}

const isList = (output: ResultViewProps['output']): output is readonly unknown[] => Array.isArray(output)
