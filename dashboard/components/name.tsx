import { createElement, Fragment, type ReactNode } from 'react'

/** Keeps a name's text direction from reordering the surrounding text. */
export const Name = ({ children }: { children: string | undefined }) => <bdi>{children}</bdi>

/** For toasts and titles: withNames`Removed ${name}`. */
export const withNames = (texts: TemplateStringsArray, ...names: (string | number | null)[]): ReactNode =>
  createElement(
    Fragment,
    null,
    ...texts.flatMap((text, index) =>
      index < names.length ? [text, createElement(Name, null, String(names[index] ?? ''))] : [text],
    ),
  )
