import {
  Background,
  BackgroundVariant,
  ConnectionMode,
  type EdgeTypes,
  type NodeTypes,
  ReactFlow,
  SelectionMode,
  useStore,
} from '@xyflow/react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { FarContext, useCanvas } from '../canvas-context.ts'
import { placed } from '../tools/tools.ts'
import { BlockNode } from './block-node.tsx'
import { Arrows, DrawnLine, Line } from './line.tsx'
import { DOTS_ZOOM, elementsAmong, FAR_ZOOM, isPainted } from './lod.ts'
import { FarLayer, useFarChoosing } from './lod-layer.tsx'
import type { BlockNode as BlockNodeType, LineEdge } from './nodes.ts'
import { pointerOf } from './pointer.ts'
import { isTouched } from './touch-device.ts'
import { ZOOM_MAX, ZOOM_MIN } from './view.ts'

const NODE_TYPES: NodeTypes = { block: BlockNode }
const EDGE_TYPES: EdgeTypes = { line: Line }
const GRID: [number, number] = [16, 16]
const MIDDLE_BUTTON = [1]
const MIDDLE_AND_LEFT = [0, 1]
const ZOOM_KEYS = ['Meta', 'Control']
const ADD_KEYS = ['Shift', 'Meta', 'Control']

/** The canvas itself: the library draws what the board says and tells what the pointer does. */
export function CanvasFlow({ children }: { children: ReactNode }) {
  const canvas = useCanvas()
  const { board, moving, desk } = canvas
  const { nodes, lines } = board.drawn.use()
  // Made once: with new functions the library would draw every block again.
  const [pointer] = useState(() => pointerOf(canvas))
  const [first] = useState(() => canvas.view.first([...canvas.store.items.blocks.values()]))
  const isFar = useStore(({ transform }) => isPainted(canvas, transform[2]))
  const hovered = desk.hovered.useSelect((id) => (isFar ? id : null))
  useFarChoosing(isFar)
  const canEdit = canvas.editable.use()
  const tool = desk.tool.use()
  const isPanning = tool === 'hand' || isTouched()
  return (
    <Distance>
      <Arrows />
      <ReactFlow<BlockNodeType, LineEdge>
        nodes={isFar ? elementsAmong(canvas, nodes, hovered) : nodes}
        edges={isFar ? NO_LINES : lines}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onNodesChange={moving.onNodesChange}
        onEdgesChange={moving.onEdgesChange}
        onlyRenderVisibleElements
        defaultViewport={first}
        minZoom={ZOOM_MIN}
        maxZoom={ZOOM_MAX}
        // Chosen by a frame that is drawn, moved by the wheel; the pointer pans with the hand, or by its middle button.
        selectionOnDrag={!isPanning && !placed(tool)}
        selectionMode={SelectionMode.Partial}
        panOnDrag={isPanning ? MIDDLE_AND_LEFT : MIDDLE_BUTTON}
        panOnScroll
        zoomActivationKeyCode={ZOOM_KEYS}
        multiSelectionKeyCode={ADD_KEYS}
        selectionKeyCode={null}
        deleteKeyCode={null}
        zoomOnDoubleClick={false}
        nodesDraggable={canEdit && tool === 'select'}
        nodesConnectable={canEdit}
        connectionMode={ConnectionMode.Loose}
        connectionLineComponent={DrawnLine}
        snapToGrid={desk.snaps.use()}
        snapGrid={GRID}
        nodeDragThreshold={3}
        // Order, keys and names are our own.
        elevateNodesOnSelect={false}
        zIndexMode="manual"
        disableKeyboardA11y
        nodesFocusable={false}
        edgesFocusable={false}
        {...pointer}
        proOptions={PLAIN}
      >
        <Background variant={BackgroundVariant.Dots} gap={GRID[0] * 2} size={1.5} />
        <FarLayer isOn={isFar} />
        {children}
      </ReactFlow>
    </Distance>
  )
}

const NO_LINES: LineEdge[] = []
const PLAIN = { hideAttribution: true }

/** Tells the blocks how far away they are seen from. Later than the zoom itself, so that zooming never waits for it. */
function Distance({ children }: { children: ReactNode }) {
  const now = useStore(({ transform: [, , zoom] }) =>
    zoom < DOTS_ZOOM ? 'dots' : zoom < FAR_ZOOM ? 'far' : 'near',
  )
  return <FarContext value={useDeferredValue(now)}>{children}</FarContext>
}
