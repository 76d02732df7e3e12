import { Link, type LinkProps } from '@tanstack/react-router'
import { ArrowLeft, ChevronRight } from 'lucide-react'

export const Breadcrumb = ({ to, children }: { to: LinkProps['to']; children: string }) => (
  <nav aria-label="Breadcrumb" className="flex shrink-0 items-center gap-4">
    <Link
      to={to}
      className="flex items-center rounded-control px-4 text-neutral-11 transition-colors hover:bg-hover hover:text-neutral-12"
    >
      <ArrowLeft aria-hidden className="icon sm:hidden" />
      <span className="max-sm:sr-only">{children}</span>
    </Link>
    <ChevronRight aria-hidden className="icon text-neutral-10 max-sm:hidden" />
  </nav>
)
