import type { Sandbox } from '../../../../sandbox/sandbox.ts'
import type { IncomingEdge, WorkflowNode } from './workflow-queries.ts'

/** For one condition. */
const TIMEOUT_MS = 10

export interface Verdict {
  blockId: string
  /** Its position in the block's incoming edges. */
  edge: number
  isOpen: boolean
  error: string | null
}

/** Outside the transaction: an upstream output doesn't change once its block is done. */
export async function evaluateConditions(
  sandbox: Sandbox,
  orgId: string,
  nodes: readonly WorkflowNode[],
  readOutput: (node: WorkflowNode) => Promise<unknown>,
): Promise<Verdict[]> {
  const outputs = new Map<string, Promise<unknown>>()
  const outputOf = (node: WorkflowNode) => {
    const output = outputs.get(node.blockId) ?? readOutput(node)
    outputs.set(node.blockId, output)
    return output
  }
  const verdicts: Verdict[] = []
  const failed = new Set<string>()
  for (const { node, edge, at } of findPending(nodes)) {
    // An error has failed the block, whatever its other conditions say.
    if (failed.has(node.blockId)) continue
    const upstream = nodes.find(({ blockId }) => blockId === edge.from)
    const output = edge.isInside ? await outputOf(upstream!) : inputText(node, edge)
    const verdict = await evaluate(sandbox, orgId, edge.condition!, output)
    if (verdict.error !== null) failed.add(node.blockId)
    verdicts.push({ blockId: node.blockId, edge: at, ...verdict })
  }
  return verdicts
}

/** Their upstream blocks are done, and the block hasn't started. */
export const findPending = (nodes: readonly WorkflowNode[]) => {
  const done = new Set(nodes.filter(({ state }) => state === 'done').map(({ blockId }) => blockId))
  return nodes
    .filter(({ state }) => state === 'queued')
    .flatMap((node) =>
      node.incoming.flatMap((edge, at) =>
        edge.isOpen === null && edge.condition !== null && (!edge.isInside || done.has(edge.from))
          ? [{ node, edge, at }]
          : [],
      ),
    )
}

const inputText = ({ inputs }: WorkflowNode, { from }: IncomingEdge) =>
  inputs.find(({ blockId }) => blockId === from)?.text ?? ''

export async function evaluate(sandbox: Sandbox, orgId: string, condition: string, output: unknown) {
  const result = await sandbox.evaluate({
    orgId,
    expression: `Boolean((${condition}\n))`,
    values: { output: output ?? null },
    timeoutMs: TIMEOUT_MS,
  })
  return 'value' in result
    ? { isOpen: result.value === true, error: null }
    : { isOpen: false, error: `The condition \`${condition}\` failed: ${result.error.message}` }
}
