/// How well the cost model predicts published measurements: tables of them, the cases they make, fitting the
/// coefficients to them, and the report.
@NullMarked
package dev.muster.plan.accuracy;

import org.jspecify.annotations.NullMarked;
