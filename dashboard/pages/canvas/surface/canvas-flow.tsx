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
import { toolBlockType } from '../actions/tools.ts'
import { LodContext, useCanvas } from '../canvas-context.ts'
import { isTouchDevice } from '../flow/focus.ts'
import type { BlockNode as BlockNodeType, LineEdge } from '../flow/nodes.ts'
import { ZOOM_MAX, ZOOM_MIN } from '../flow/viewport.ts'
import { BlockNode } from './block-node.tsx'
import { ConnectionPreview, Line } from './line.tsx'
import { DOTS_ZOOM, FAR_ZOOM, isPainted, LodLayer, nodesToRender, useLodSelection } from './lod-layer.tsx'
import { pointerHandlers } from './pointer.ts'

const NODE_TYPES: NodeTypes = { block: BlockNode }
const EDGE_TYPES: EdgeTypes = { line: Line }
const GRID: [number, number] = [16, 16]
const MIDDLE_BUTTON = [1]
const MIDDLE_AND_LEFT = [0, 1]
const ZOOM_KEYS = ['Meta', 'Control']
const ADD_KEYS = ['Shift', 'Meta', 'Control']

export function CanvasFlow({ children }: { children: ReactNode }) {
  const canvas = useCanvas()
  const { viewModel, drag, ui } = canvas
  const { nodes, lines } = viewModel.rendered.use()
  // Created once: new function identities would rerender every block.
  const [pointer] = useState(() => pointerHandlers(canvas))
  const [initial] = useState(() =>
    canvas.view.initial([...canvas.store.items.blocks.values()], canvas.savedCamera()),
  )
  const isZoomedOut = useStore(({ transform }) => isPainted(canvas, transform[2]))
  const hovered = ui.hovered.useSelect((id) => (isZoomedOut ? id : null))
  useLodSelection(isZoomedOut)
  const canEdit = canvas.editable.use()
  const tool = ui.tool.use()
  const isPanning = tool === 'hand' || isTouchDevice()
  return (
    <LodProvider>
      <ReactFlow<BlockNodeType, LineEdge>
        nodes={isZoomedOut ? nodesToRender(canvas, nodes, hovered) : nodes}
        edges={isZoomedOut ? NO_LINES : lines}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onNodesChange={drag.onNodesChange}
        onEdgesChange={drag.onEdgesChange}
        onlyRenderVisibleElements
        defaultViewport={initial}
        minZoom={ZOOM_MIN}
        maxZoom={ZOOM_MAX}
        // Dragging selects and the wheel pans. The hand tool and middle button pan too.
        selectionOnDrag={!isPanning && !toolBlockType(tool)}
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
        connectionLineComponent={ConnectionPreview}
        snapToGrid={ui.snapToGrid.use()}
        snapGrid={GRID}
        nodeDragThreshold={3}
        // We handle z-order, the keyboard and accessible names.
        elevateNodesOnSelect={false}
        zIndexMode="manual"
        disableKeyboardA11y
        nodesFocusable={false}
        edgesFocusable={false}
        {...pointer}
        proOptions={PRO_OPTIONS}
      >
        <Background variant={BackgroundVariant.Dots} gap={GRID[0] * 2} size={1.5} />
        <LodLayer isOn={isZoomedOut} />
        {children}
      </ReactFlow>
    </LodProvider>
  )
}

const NO_LINES: LineEdge[] = []
const PRO_OPTIONS = { hideAttribution: true }

/** Deferred so zooming stays smooth. */
function LodProvider({ children }: { children: ReactNode }) {
  const lod = useStore(({ transform: [, , zoom] }) =>
    zoom < DOTS_ZOOM ? 'dots' : zoom < FAR_ZOOM ? 'far' : 'near',
  )
  return <LodContext value={useDeferredValue(lod)}>{children}</LodContext>
}
