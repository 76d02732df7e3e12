/** Without schemas: pages load it before the schema library. */

/**
 * Region flags (England, Scotland, Wales) use invisible tag characters. Joiners and variation selectors are invisible
 * too, but emoji and several scripts (Persian, Hindi, Japanese) need them.
 */
export const FLAG_OR_REFUSED =
  /(\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f})|[\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb]|(?!\u034f|\u200c|\u200d|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu
