"""What pages say and draw of a request, worked out from its rows: titles, sums, progress. Reads only."""
