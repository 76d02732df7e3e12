/**
 * Marks a text that people read: t`Delete ${name}`. The dashboard's build replaces it by its translation
 * (docs/internals/translation.md); everywhere else it is the English text.
 */
export const t = (texts: TemplateStringsArray, ...values: (string | number)[]): string =>
  String.raw({ raw: texts }, ...values)

/** The locale of numbers, dates and lists, translated as a text is: the German catalogue has `de`. */
export const LOCALE = t`en`
