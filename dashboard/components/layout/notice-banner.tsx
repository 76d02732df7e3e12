import type { ReactNode } from 'react'

const TONES = {
  warning: 'border-warning-line bg-warning-wash',
  bad: 'border-bad-line bg-bad-wash',
  info: 'border-info-line bg-info-wash',
  plain: 'border-neutral-6 bg-inset',
}

interface NoticeBannerProps {
  tone: keyof typeof TONES
  action?: ReactNode
  children: ReactNode
}

export const NoticeBanner = ({ tone, action, children }: NoticeBannerProps) => (
  <div
    role="status"
    className={`flex shrink-0 flex-wrap items-center justify-between gap-8 border-b px-16 py-8 text-13 md:px-24 ${TONES[tone]}`}
  >
    <div className="wrap-anywhere min-w-0">{children}</div>
    {action}
  </div>
)
