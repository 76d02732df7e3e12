import type { ReactNode } from 'react'

const FACE_PX = 28

interface GutterProps {
  face?: ReactNode
  children: ReactNode
}

/** What an agent says and does stands beside its face, below it in narrow places. */
export const Gutter = ({ face, children }: GutterProps) => (
  <div className="flex min-w-0 gap-12">
    <div style={{ width: FACE_PX }} className="hidden shrink-0 @medium:block">
      {face}
    </div>
    <div className="flex min-w-0 flex-1 flex-col gap-8">{children}</div>
  </div>
)
