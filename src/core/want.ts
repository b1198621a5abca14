/**
 * What a caller wants to know of an impact: only when the bodies meet (`time`), also where and how they touch then (`contact`), or
 * also when they part again (`exit`). What is not wanted is not computed.
 */
export type Want = 'time' | 'contact' | 'exit'
