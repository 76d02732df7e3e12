import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CONDITION_CHARACTERS_MAX } from '../../../../contract/canvas/block-fields.ts'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextArea } from '../../../components/forms/field.tsx'
import { Status } from '../../../components/status.tsx'
import { useCanvas } from '../canvas-context.ts'
import { blockName } from '../model/block-labels.ts'
import type { Edge } from '../store/items.ts'

const EXAMPLES = [
  'output.score > 0.8',
  'output.items.length > 0',
  "output.includes('yes')",
  "['high', 'urgent'].includes(output.priority)",
]

/** When a workflow goes on along a connection. */
export default function ConditionDialog({ edgeId }: { edgeId: string }) {
  const canvas = useCanvas()
  const edge = canvas.store.items.edges.get(edgeId)
  return edge ? <Form edge={edge} /> : null
}

function Form({ edge }: { edge: Edge }) {
  const canvas = useCanvas()
  const { api, project, store, ui } = canvas
  const [condition, setCondition] = useState(edge.condition ?? '')
  const [failure, setFailure] = useState<string>()
  const close = () => ui.conditioning.set(null)
  const text = condition.trim()
  const upstream = store.items.blocks.get(edge.fromBlockId)
  const test = useMutation({
    mutationFn: () =>
      api.agentBlocks.testCondition({ projectId: project.id, blockId: edge.fromBlockId, condition: text }),
  })
  const save = useMutation({
    mutationFn: async () => {
      // The server names the place of a mistake, so it checks before the canvas shows the condition.
      if (text !== '') await test.mutateAsync()
      store.change({ update: { edges: [{ id: edge.id, condition: text || null }] } })
    },
    onSuccess: close,
    onError: (error) => setFailure(failureMessage(error)),
  })
  const change = (value: string) => {
    setCondition(value)
    setFailure(undefined)
    test.reset()
  }
  return (
    <FormDialog
      title="Condition"
      size="normal"
      action={t`Save`}
      lead={
        upstream
          ? t`The workflow goes on here if this is true of the output of ${blockName(upstream)}. Without a condition, it always does.`
          : undefined
      }
      failure={failure}
      busy={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={close}
    >
      <TextArea
        label="Condition"
        autoFocus
        rows={3}
        spellCheck={false}
        limit={CONDITION_CHARACTERS_MAX}
        value={condition}
        placeholder="output.score > 0.8"
        onChange={(event) => change(event.target.value)}
        className="font-mono"
      />
      <div className="flex flex-wrap gap-8">
        {EXAMPLES.map((example) => (
          <Button key={example} size="small" className="font-mono" onClick={() => change(example)}>
            {example}
          </Button>
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-12">
        <Button
          busy={test.isPending}
          disabled={text === ''}
          onClick={() => test.mutate(undefined, { onError: (error) => setFailure(failureMessage(error)) })}
        >
          Test with the last output
        </Button>
        <span role="status" className="min-w-0 text-13">
          {test.data && <Verdict {...test.data} />}
        </span>
      </div>
      {test.data && (
        <pre className="max-h-nested-max overflow-auto rounded-control bg-neutral-3 p-8 text-12">
          {test.data.output}
        </pre>
      )}
    </FormDialog>
  )
}

function Verdict({ isOpen, error }: { isOpen: boolean; error: string | null }) {
  if (error) return <span className="break-words text-bad-text">{error}</span>
  return isOpen ? (
    <Status meaning="good">{t`True: the workflow goes on`}</Status>
  ) : (
    <Status meaning="neutral">{t`False: the workflow skips this branch`}</Status>
  )
}
