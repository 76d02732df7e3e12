import { useQuery } from '@tanstack/react-query'
import { t } from '../../../../contract/text.ts'
import { promptQuery } from '../../../api/runs.ts'
import { formatTokens } from '../../../components/amounts.ts'
import { Code } from '../../../components/code.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { type RunImage, RunImages } from './run-images.tsx'

interface PromptPanelProps {
  runId: string
  n: number
  attempt: number
  onClose: () => void
}

/** In call order. */
export function PromptPanel({ runId, n, attempt, onClose }: PromptPanelProps) {
  const prompt = useQuery(promptQuery(runId, n, attempt))
  const { data } = prompt
  return (
    <Panel
      title={t`Prompt for step ${n}`}
      subtitle={data && t`about ${formatTokens(data.tokens)} tokens to ${data.model}`}
      onClose={onClose}
    >
      {prompt.isPending && <SkeletonRows rows={4} />}
      {prompt.error && !data && <Failure error={prompt.error} onRetry={() => prompt.refetch()} />}
      {data && (
        <>
          <PanelSection title="System">
            <div className="flex flex-col gap-8">
              {data.hasSystemChanged && (
                <p className="rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13">
                  The project or server has changed since this step, so this is the current system prompt.
                </p>
              )}
              <Code tall what="system prompt">
                {data.system}
              </Code>
            </div>
          </PanelSection>
          <PanelSection title={t`Messages (${data.messages.length})`}>
            <ol aria-label="Messages" className="flex flex-col gap-12">
              {data.messages.map(({ role, content }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a stored prompt never change.
                <li key={index} className="flex flex-col gap-4">
                  <span className="text-12 text-neutral-11">{ROLES[role] ?? role}</span>
                  <Code tall what={t`message ${index + 1}`}>
                    {messageText(content)}
                  </Code>
                  <RunImages images={imagesIn(content)} />
                </li>
              ))}
            </ol>
          </PanelSection>
          <PanelSection title={t`Tools (${data.tools.length})`}>
            <ul aria-label="Tools" className="flex flex-col">
              {data.tools.map(({ name, description, inputSchema }) => (
                <li key={name} className="border-neutral-6 border-b last:border-b-0">
                  <details>
                    <summary className="py-8 text-13 hover:bg-hover">
                      <code className="font-mono">{name}</code>
                      <span className="block text-12 text-neutral-11">{description}</span>
                    </summary>
                    <div className="pb-12">
                      <Code tall what={t`${name} schema`}>
                        {JSON.stringify(inputSchema, null, 2)}
                      </Code>
                    </div>
                  </details>
                </li>
              ))}
            </ul>
          </PanelSection>
          <p className="px-16 pb-16 text-12 text-neutral-11">
            Text that looks like a key, token or password is redacted.
          </p>
        </>
      )}
    </Panel>
  )
}

const ROLES: Record<string, string> = { user: t`User`, assistant: t`Model`, tool: t`Tool results` }

/** Parts other than text become JSON. */
function messageText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return JSON.stringify(content, null, 2)
  return content.map(partText).join('\n\n')
}

/** Of a message, and beside tools' results. */
function imagesIn(content: unknown): RunImage[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((part: { type?: unknown; images?: unknown }) =>
    part.type === 'image' ? [part as unknown as RunImage] : imagesIn(part.images),
  )
}

function partText(part: unknown): string {
  const { type, text } = Object(part) as { type?: unknown; text?: unknown }
  return type === 'text' && typeof text === 'string' ? text : JSON.stringify(part, null, 2)
}
