import type { ComponentType } from 'react'
import { DrawingBody, ShapeBody } from '../figures/figure-body.tsx'
import type { BlockType } from '../store/items.ts'
import { AgentBody } from './agent/agent-body.tsx'
import type { BodyProps } from './body-props.ts'
import { FileBody, ImageBody } from './file-body.tsx'
import { GroupBody } from './group-body.tsx'
import { LinkBody } from './link-body.tsx'
import { TaskBody } from './task-body.tsx'
import { TextBody } from './text-body.tsx'

const BODIES: Record<BlockType, ComponentType<BodyProps>> = {
  text: TextBody,
  note: TextBody,
  file: FileBody,
  image: ImageBody,
  link: LinkBody,
  embed: LinkBody,
  agent: AgentBody,
  task: TaskBody,
  group: GroupBody,
  shape: ShapeBody,
  drawing: DrawingBody,
}

export function BlockBody(props: BodyProps) {
  const Body = BODIES[props.block.type]
  return <Body {...props} />
}

/** The field that Enter edits. */
export const mainField = (type: BlockType): 'title' | 'content' =>
  ['text', 'note', 'agent', 'link', 'embed', 'shape'].includes(type) ? 'content' : 'title'
